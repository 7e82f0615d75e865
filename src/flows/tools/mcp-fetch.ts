import { JsonBuffer } from '../../common/json/json-buffer.js';
import { ValueBudget } from '../../common/json/json-limits.js';
import type { OutboundHttp } from '../../common/outbound/outbound-http.js';
import type { OutboundStream } from '../../common/outbound/outbound-response.js';
import { nodeValues } from '../engine/node-values.js';

/** The address of a server with headers and a time limit. */
export interface McpAddress {
  url: string;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  /** The time limit of a request with its answer. */
  timeoutMs: number;
}

const MOST_BYTES = 4 * 1024 * 1024;

/** Bytes of the list of a server's tools. */
export const MOST_LISTING_BYTES = 1024 * 1024;

/** Bytes in the answer in addition to the list. */
const FRAME_BYTES = 16 * 1024;

/** The member of `_meta` that is also sent as the header `Idempotency-Key`. */
export const IDEMPOTENCY_MEMBER = 'idempotency-key';

/**
 * Returns the `fetch` of the MCP client: under the outbound rules, with limits of size and time. Never opens the standing
 * stream for messages of the server. Calls `failed` with the error of a broken body, for which the client would wait
 * forever.
 */
export const mcpFetch =
  (http: OutboundHttp, { headers, timeoutMs }: McpAddress, failed: (error: unknown) => void) =>
  async (address: string | URL, init: RequestInit = {}): Promise<Response> => {
    const method = (init.method ?? 'GET').toUpperCase();
    if (method === 'GET') return new Response(null, { status: 405 });
    const body = typeof init.body === 'string' ? init.body : undefined;
    const key = body === undefined ? undefined : idempotencyKeyIn(body);
    const answer = await http.open({
      url: String(address),
      method,
      headers: {
        ...headers,
        ...Object.fromEntries(new Headers(init.headers)),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      maxBytes: body?.includes('"method":"tools/list"') ? MOST_LISTING_BYTES + FRAME_BYTES : MOST_BYTES,
      timeoutMs,
      ...(body === undefined ? {} : { body }),
      ...(init.signal ? { signal: init.signal } : {}),
    });
    const isJson = (answer.headers['content-type'] ?? '').toLowerCase().includes('application/json');
    const content = isJson
      ? await shallowJson(answer)
      : ReadableStream.from(reportingFailure(answer.body, failed));
    const bodiless = answer.status === 204 || answer.status === 205 || answer.status === 304;
    return new Response(bodiless ? null : content, { status: answer.status, headers: answer.headers });
  };

/** Reads an answer within the limits of JSON from outside. */
async function shallowJson({ body }: OutboundStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of counted(body)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Fails as soon as a text, or all events of a stream, have too many values or are nested too deep. */
async function* counted(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const json = new JsonBuffer(new ValueBudget(nodeValues.share));
  for await (const chunk of body) {
    json.push(chunk);
    yield chunk;
  }
}

async function* reportingFailure(
  body: AsyncIterable<Buffer>,
  failed: (error: unknown) => void,
): AsyncGenerator<Buffer> {
  try {
    yield* counted(body);
  } catch (error) {
    failed(error);
    throw error;
  }
}

function idempotencyKeyIn(body: string): string | undefined {
  if (!body.includes(IDEMPOTENCY_MEMBER)) return undefined;
  const { params } = JSON.parse(body) as { params?: { _meta?: Record<string, unknown> } };
  const key = params?._meta?.[IDEMPOTENCY_MEMBER];
  return typeof key === 'string' ? key : undefined;
}
