import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dispatcher } from 'undici';

interface ModelCall {
  method: Dispatcher.HttpMethod;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
  signal: AbortSignal | null;
}

/** An answer of any status; its body is decompressed and applies backpressure. */
export interface ModelResponse {
  status: number;
  /** Lower-case names. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Readable;
  /**
   * Closes a body that is not read to its end; drains it if little is left, so that the connection can be reused.
   */
  leave: () => void;
}

const MOST_REDIRECTIONS = 3;
const MOST_LEFT_BYTES = 64 * 1024;
const LEAVING_MS = 1_000;

/** Loads the client with the first call, so that a service without models stays small. */
async function open() {
  const { Agent, request } = await import('undici');
  // The limit of the call counts: a model may load, or think, for longer than the client's five minutes of silence.
  return { request, dispatcher: new Agent({ headersTimeout: 0, bodyTimeout: 0 }) };
}

let opened: ReturnType<typeof open> | undefined;

/** Loads the client, so that the first call does not wait for it. */
export const openModelClient = (): Promise<unknown> => (opened ??= open());

/**
 * Calls the address of a model, which an admin has set, so that local hosts are allowed (contract section 9). Follows
 * redirects on the same host. Rejects when no answer arrives, or with the signal's reason.
 */
export async function requestModel(
  url: URL,
  call: ModelCall,
  redirections = MOST_REDIRECTIONS,
): Promise<ModelResponse> {
  const way = await (opened ??= open());
  const answer = await way.request(url, {
    dispatcher: way.dispatcher,
    ...call,
    headers: { 'accept-encoding': 'identity', ...call.headers },
  });
  const next = movedTo(url, answer);
  if (!next || redirections === 0) return responseOf(answer);
  void answer.body.dump();
  return requestModel(next, call, redirections - 1);
}

/**
 * Returns the address to which the request is redirected. Throws for another host, because the key is only for the host
 * that the admin has set.
 */
function movedTo(url: URL, { statusCode, headers, body }: Dispatcher.ResponseData): URL | undefined {
  const location = String(headers['location'] ?? '');
  if ((statusCode !== 307 && statusCode !== 308) || !URL.canParse(location, url.href)) return undefined;
  const next = new URL(location, url);
  if (next.hostname === url.hostname && (next.protocol === 'https:' || next.protocol === url.protocol))
    return next;
  void body.dump();
  throw new ModelMoved(
    `it redirects to ${next.origin}: set that address as its baseUrl, because keys are not forwarded`,
  );
}

/** The model redirects to a host to which its key may not be sent. */
export class ModelMoved extends Error {}

function responseOf({ statusCode, headers, body }: Dispatcher.ResponseData): ModelResponse {
  const leave = () => {
    const patience = setTimeout(() => void body.destroy(), LEAVING_MS).unref();
    void body.dump({ limit: MOST_LEFT_BYTES }).finally(() => clearTimeout(patience));
  };
  const coding = String(headers['content-encoding'] ?? '')
    .trim()
    .toLowerCase();
  const decoder = decoders[coding];
  if (!decoder) return { status: statusCode, headers, body, leave };
  // Some servers and proxies compress although it was not requested.
  const decoded = pipeline(body, decoder(), () => undefined);
  const { 'content-encoding': _coding, 'content-length': _length, ...others } = headers;
  return { status: statusCode, headers: others, body: decoded, leave: () => void decoded.destroy() };
}

const decoders: Readonly<Record<string, () => Readable & NodeJS.WritableStream>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};
