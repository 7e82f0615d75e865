import { timeLimit } from '../time-limit.js';
import { loginHeader } from './outbound-address.js';
import { FetchFailed, type OutboundResponse, readResponse } from './outbound-response.js';

/** One POST to an address from the configuration. */
interface AdminPost {
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  /** A larger answer fails. */
  maxBytes: number;
  /** For the whole request. */
  timeoutMs: number;
}

/**
 * Posts to an address that an admin has set. Unlike `OutboundHttp` it allows private hosts, and a name and password in the
 * address. Does not follow redirects. Throws `FetchFailed`, whose sentence names no address.
 */
export async function postToAdminTarget(target: string, post: AdminPost): Promise<OutboundResponse> {
  const { request } = await import('undici');
  const url = new URL(target);
  const login = loginHeader(url);
  url.username = '';
  url.password = '';
  const signal = timeLimit(post.timeoutMs);
  try {
    const response = await request(url.href, {
      method: 'POST',
      headers: { ...post.headers, ...login },
      body: post.body,
      signal,
    });
    return await readResponse(response, url, post);
  } catch (error) {
    if (signal.aborted) throw new FetchFailed('It did not answer in time.', error);
    if (error instanceof FetchFailed) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new FetchFailed(`It could not be reached (${code ?? message}).`, error);
  }
}

/** A GET whose answer is streamed. */
interface AdminGet {
  headers: Readonly<Record<string, string>>;
  /** The time limit until the answer begins. */
  patienceMs: number;
  signal: AbortSignal;
}

/**
 * Streams an answer from an address that an admin has set. Resolves to the body for 200 and to undefined for 404. Throws
 * `FetchFailed` for any other status, and when no answer begins in time.
 */
export async function streamFromAdminTarget(
  target: string,
  { headers, patienceMs, signal }: AdminGet,
): Promise<AsyncIterable<Buffer> | undefined> {
  const { request } = await import('undici');
  const impatience = new AbortController();
  const timer = setTimeout(() => impatience.abort(), patienceMs);
  try {
    const answer = await request(target, {
      headers,
      bodyTimeout: 0,
      signal: AbortSignal.any([signal, impatience.signal]),
    });
    const type = String(answer.headers['content-type']);
    if (answer.statusCode === 200 && type.startsWith('text/event-stream')) return answer.body;
    await answer.body.dump();
    if (answer.statusCode === 404) return undefined;
    throw new FetchFailed(`It answered ${answer.statusCode} ${type}.`);
  } catch (error) {
    if (error instanceof FetchFailed) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new FetchFailed(`It could not be reached (${code ?? message}).`, error);
  } finally {
    clearTimeout(timer);
  }
}
