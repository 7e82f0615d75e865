import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { JsonBuffer } from '../json/json-buffer.js';
import { ValueBudget } from '../json/json-limits.js';
import { ServiceError } from '../service-error.js';

/** An answer of another service with any status. */
export interface OutboundResponse {
  status: number;
  /** Lower-case names; values of repeated ones are joined by a comma. */
  headers: Record<string, string>;
  body: Buffer;
  /** The address that answered, after redirects. */
  url: string;
}

/** An answer whose body is streamed; its user must read it to the end or destroy it. */
export interface OutboundStream extends Omit<OutboundResponse, 'body'> {
  body: AsyncIterable<Buffer>;
}

/** The target may not be reached through this service. */
export class FetchRefused extends ServiceError {
  constructor(detail: string) {
    super('fetch_refused', detail);
  }
}

/** The target could not be reached, or its answer exceeds a limit. */
export class FetchFailed extends ServiceError {
  constructor(detail: string, cause?: unknown) {
    super('fetch_failed', detail, { cause });
  }
}

export async function statusOf(response: Dispatcher.ResponseData, url: URL): Promise<OutboundResponse> {
  await response.body.dump();
  return { status: response.statusCode, headers: {}, body: Buffer.alloc(0), url: url.href };
}

export async function readResponse(
  response: Dispatcher.ResponseData,
  url: URL,
  { maxBytes, maxValues }: { maxBytes: number; maxValues?: number },
): Promise<OutboundResponse> {
  const { body, ...head } = streamOf(response, url, maxBytes);
  const isCounted =
    maxValues !== undefined && (head.headers['content-type'] ?? '').toLowerCase().includes('json');
  let json = isCounted ? new JsonBuffer(new ValueBudget(maxValues)) : undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of body) {
    try {
      json?.push(chunk);
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'body_too_complex')
        throw new FetchFailed(`The target's answer is JSON of more than ${maxValues} values.`, error);
      if (error instanceof ServiceError && error.code === 'json_too_deep')
        throw new FetchFailed("The target's answer is JSON that is nested too deep.", error);
      // Any other fault means that it is not JSON.
      json = undefined;
    }
    chunks.push(chunk);
  }
  return { ...head, body: Buffer.concat(chunks) };
}

/** Throws `FetchFailed` when `Content-Length` is too large. A compressed body is decoded. */
export function streamOf(response: Dispatcher.ResponseData, url: URL, maxBytes: number): OutboundStream {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers))
    if (value !== undefined && name !== '__proto__')
      headers[name] = Array.isArray(value) ? value.join(', ') : value;
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(response, maxBytes);
  const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase();
  const makeDecoder = DECODERS.get(encoding);
  if (makeDecoder) for (const name of ['content-encoding', 'content-length']) delete headers[name];
  const chunks = makeDecoder ? decoded(response.body, makeDecoder(), encoding) : response.body;
  return { status: response.statusCode, headers, url: url.href, body: bounded(response, chunks, maxBytes) };
}

/** Some servers compress their answers although nobody asked for it. */
const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** Codes of faults in the compressed bytes. */
const UNSOUND = /^(Z_|ERR__)/;

async function* decoded(body: Readable, decoder: Transform, encoding: string): AsyncGenerator<Buffer> {
  try {
    yield* pipeline(body, decoder, () => undefined) as AsyncIterable<Buffer>;
  } catch (error) {
    if (!UNSOUND.test(String((error as NodeJS.ErrnoException).code))) throw error;
    // The answer to HEAD names an encoding too.
    if (!body.readableDidRead) return;
    throw new FetchFailed(
      `The target's answer is not the ${encoding} that its Content-Encoding names.`,
      error,
    );
  }
}

async function* bounded(
  response: Dispatcher.ResponseData,
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(response, maxBytes);
    yield chunk;
  }
}

function tooLarge({ body }: Dispatcher.ResponseData, maxBytes: number): FetchFailed {
  body.on('error', () => undefined).destroy();
  return new FetchFailed(`The target's answer is larger than ${maxBytes} bytes.`);
}
