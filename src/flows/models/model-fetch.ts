import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dispatcher } from 'undici';

/** What a provider's package gives to the `fetch` it is made with. */
type FetchOptions = Parameters<typeof fetch>[1];

const MOST_REDIRECTIONS = 3;

/** Loaded with the first call: a service without models stays small. */
async function open() {
  const { Agent, request } = await import('undici');
  return { request, dispatcher: new Agent() };
}

let opened: ReturnType<typeof open> | undefined;

/**
 * The way to a model's address, which is an admin's word: local hosts are allowed (contract section 9). Does what the
 * provider packages need of `fetch` over undici's plain request: `fetch` itself costs a third of a millisecond more
 * before the first token, and more memory a stream. Reads no faster than it is read.
 */
export async function modelFetch(address: string | URL | Request, options: FetchOptions): Promise<Response> {
  const url = new URL(typeof address === 'object' && 'url' in address ? address.url : address);
  const { statusCode, headers, body } = await ask(url, options, MOST_REDIRECTIONS);
  const empty = isEmpty(statusCode);
  if (empty) void body.dump();
  const given = new Headers(
    Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return new Response(empty ? null : streamOf(plain(body, given)), { status: statusCode, headers: given });
}

async function ask(url: URL, options: FetchOptions, redirections: number): Promise<Dispatcher.ResponseData> {
  const way = await (opened ??= open());
  const asked = way.request(url, {
    dispatcher: way.dispatcher,
    method: options?.method ?? 'GET',
    headers: { 'accept-encoding': 'identity', ...Object.fromEntries(new Headers(options?.headers)) },
    body: (options?.body ?? null) as string | Uint8Array | null,
    signal: options?.signal ?? null,
  });
  const answer = await asked.catch((error: unknown) => {
    options?.signal?.throwIfAborted();
    // By these words the packages know that no answer came, and that another try may help.
    throw new TypeError('fetch failed', { cause: error });
  });
  const next = movedTo(url, answer);
  if (!next || redirections === 0) return answer;
  void answer.body.dump();
  return ask(next, options, redirections - 1);
}

/**
 * Where the same request is to be sent instead. Its key is for the host that the admin named: no other one is sent it,
 * under whichever header the provider takes it.
 */
function movedTo(url: URL, { statusCode, headers, body }: Dispatcher.ResponseData): URL | undefined {
  const location = String(headers['location'] ?? '');
  if ((statusCode !== 307 && statusCode !== 308) || !URL.canParse(location, url.href)) return undefined;
  const next = new URL(location, url);
  if (next.hostname === url.hostname && (next.protocol === 'https:' || next.protocol === url.protocol))
    return next;
  void body.dump();
  throw new Error(`it has moved to ${next.origin}: give that address as its own, keys are not sent on`);
}

const isEmpty = (status: number): boolean => status === 204 || status === 205 || status === 304;

const decoders: Readonly<Record<string, () => Readable & NodeJS.WritableStream>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Some servers and proxies compress although nobody asked. */
function plain(body: Readable, headers: Headers): Readable {
  const open = decoders[headers.get('content-encoding')?.trim().toLowerCase() ?? ''];
  if (!open) return body;
  headers.delete('content-encoding');
  headers.delete('content-length');
  return pipeline(body, open(), () => undefined);
}

function streamOf(body: Readable): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      body.on('data', (chunk: Buffer) => {
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) body.pause();
      });
      body.on('end', () => controller.close());
      body.on('error', (error) => controller.error(error));
    },
    pull: () => void body.resume(),
    cancel: (reason) => void body.destroy(reason instanceof Error ? reason : undefined),
  });
}
