import type { Readable } from 'node:stream';
import { AnswerLines } from './answer-lines.js';
import { ModelMoved, requestModel } from './model-request.js';

/** The options that a provider's package passes to its `fetch`. */
type FetchOptions = Parameters<(typeof globalThis)['fetch']>[1];

/**
 * The part of `fetch` that provider packages need, over undici's plain request: `fetch` itself costs a third of a
 * millisecond more before the first token, and more memory for each stream. Applies backpressure.
 */
export async function modelFetch(address: string | URL | Request, options: FetchOptions): Promise<Response> {
  const url = new URL(typeof address === 'object' && 'url' in address ? address.url : address);
  const pending = requestModel(url, {
    method: options?.method ?? 'GET',
    headers: Object.fromEntries(new Headers(options?.headers)),
    body: (options?.body ?? null) as string | Uint8Array | null,
    signal: options?.signal ?? null,
  });
  const { status, headers, body, leave } = await pending.catch((error: unknown) => {
    options?.signal?.throwIfAborted();
    if (error instanceof ModelMoved) throw error;
    // The packages recognise by this message that no answer arrived and a retry may help.
    throw new TypeError('fetch failed', { cause: error });
  });
  const empty = isEmpty(status);
  if (empty) leave();
  const given = new Headers(
    Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return new Response(empty ? null : streamOf(body), { status, headers: given });
}

const isEmpty = (status: number): boolean => status === 204 || status === 205 || status === 304;

/** Bytes of one answer. */
const MOST_BYTES = 256 * 1024 * 1024;

function streamOf(body: Readable): ReadableStream<Uint8Array> {
  const lines = new AnswerLines();
  let size = 0;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      body.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MOST_BYTES || !lines.take(chunk)) {
          body.destroy(new Error('its answer does not end'));
          return;
        }
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
