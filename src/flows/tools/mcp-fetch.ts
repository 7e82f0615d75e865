import { JsonBuffer } from '../../common/json/json-buffer.js';
import { ValueBudget } from '../../common/json/json-limits.js';
import type { OutboundHttp } from '../../common/outbound/outbound-http.js';
import type { OutboundStream } from '../../common/outbound/outbound-response.js';
import { nodeValues } from '../engine/node-values.js';

/** Where a server is, and who asks it. */
export interface McpAddress {
  url: string;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  /** For one request, its answer included. */
  timeoutMs: number;
}

const MOST_BYTES = 4 * 1024 * 1024;

/** Bytes of the list of a server's tools. */
export const MOST_LISTING_BYTES = 1024 * 1024;

/** Beside the list, in the answer to the call for it. */
const FRAME_BYTES = 16 * 1024;

/** The member of `_meta` that goes out as the header `Idempotency-Key` too. */
export const IDEMPOTENCY_MEMBER = 'idempotency-key';

/**
 * The way of the MCP client to its server: under the outbound rules, bounded in size and time. The standing stream, by which
 * a server could speak unasked, is never opened. `failed` is told what a body broke off with: the client would wait on.
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

/** Nested no deeper and no wider than any other JSON from outside: reading it costs no more than its size. */
async function shallowJson({ body }: OutboundStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of counted(body)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Fails as soon as more values have come than are read, or deeper ones: of one text, or of all events of a stream. */
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
