import type { Dispatcher } from 'undici';
import { JsonBuffer } from '../json/json-buffer.js';
import { ValueBudget } from '../json/json-limits.js';
import { ServiceError } from '../service-error.js';

/** The answer of another service, whatever its status. */
export interface OutboundResponse {
  status: number;
  /** Lower-case names; repeated ones joined by a comma. */
  headers: Record<string, string>;
  body: Buffer;
  /** Where the answer came from, after redirects. */
  url: string;
}

/** The same, its body as it arrives; whoever has it reads it to its end or destroys it. */
export interface OutboundStream extends Omit<OutboundResponse, 'body'> {
  body: AsyncIterable<Buffer>;
}

/** The target is one that nobody may reach through this service. */
export class FetchRefused extends ServiceError {
  constructor(detail: string) {
    super('fetch_refused', detail);
  }
}

/** The target could not be reached, or did not answer as it must. */
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
      // Whatever else is wrong with it, it is no JSON.
      json = undefined;
    }
    chunks.push(chunk);
  }
  return { ...head, body: Buffer.concat(chunks) };
}

/** Throws `FetchFailed` at once where the answer says that it is too large. */
export function streamOf(response: Dispatcher.ResponseData, url: URL, maxBytes: number): OutboundStream {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers))
    if (value !== undefined && name !== '__proto__')
      headers[name] = Array.isArray(value) ? value.join(', ') : value;
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(response, maxBytes);
  return { status: response.statusCode, headers, url: url.href, body: bounded(response, maxBytes) };
}

async function* bounded(response: Dispatcher.ResponseData, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(response, maxBytes);
    yield chunk;
  }
}

function tooLarge({ body }: Dispatcher.ResponseData, maxBytes: number): FetchFailed {
  body.on('error', () => undefined).destroy();
  return new FetchFailed(`The target's answer is larger than ${maxBytes} bytes.`);
}
