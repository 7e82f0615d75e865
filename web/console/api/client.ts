import { adminKey, NoAdminKey } from './admin-key.js';
import { ApiError, errorOf, unreachable } from './api-error.js';

/** Query parameters; `undefined` and the empty text are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

export interface CallOptions {
  query?: Query;
  /** Sent as JSON; a `FormData` or `Blob` as it is. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
}

/** `/api/v1/executions?status=failed`; write parts of the path that come from elsewhere with `segment`. */
export function addressOf(path: string, query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  const search = new URLSearchParams(given).toString();
  return `/api/v1/${path}${search === '' ? '' : `?${search}`}`;
}

/** An id as one part of a path, whatever stands in it. */
export const segment = (id: string): string => encodeURIComponent(id);

/** The answer as JSON; nothing for 204. Throws `ApiError`. */
export async function call<Answer>(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const response = await request(method, path, options);
  if (response.status === 204) return undefined as Answer;
  return (await response.json().catch(() => {
    throw options.signal?.aborted ? options.signal.reason : unreachable();
  })) as Answer;
}

export const get = <Answer>(path: string, options?: CallOptions): Promise<Answer> =>
  call<Answer>('GET', path, options);
export const post = <Answer>(path: string, body?: unknown, options?: CallOptions): Promise<Answer> =>
  call<Answer>('POST', path, { ...options, body });
export const put = <Answer>(path: string, body: unknown, options?: CallOptions): Promise<Answer> =>
  call<Answer>('PUT', path, { ...options, body });
export const remove = (path: string, options?: CallOptions): Promise<void> =>
  call<void>('DELETE', path, options);

/** A file of the API that wants the key: a photograph, a report. */
export async function file(path: string, options?: CallOptions): Promise<Blob> {
  const response = await request('GET', path, options);
  return response.blob().catch(() => {
    throw unreachable();
  });
}

/**
 * A call with the admin key. When the key is missing or refused it is asked for, and the same call is made again: what
 * the caller wanted to send is not lost. Throws `ApiError`, also for an answer that is none.
 */
export async function request(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  for (;;) {
    const key = await keyFor(options.signal);
    const response = await send(method, path, options, key);
    if (response.ok) return response;
    const error = await errorOf(response);
    if (!(await refusesKey(error, key))) throw error;
    adminKey.refuse(key);
  }
}

/** Routes that a flow's key opens as well say `invalid_api_key` of a wrong admin key, and of a flow that wants its own. */
const refusesKey = async ({ status, code }: ApiError, key: string): Promise<boolean> =>
  status === 401 && (code === 'invalid_admin_key' || (code === 'invalid_api_key' && !(await opens(key))));

async function keyFor(signal: AbortSignal | undefined): Promise<string> {
  try {
    const key = await adminKey.wanted();
    signal?.throwIfAborted();
    return key;
  } catch (error) {
    if (!(error instanceof NoAdminKey)) throw error;
    throw new ApiError(401, 'invalid_admin_key', 'Enter the admin key to see this.');
  }
}

async function send(method: string, path: string, options: CallOptions, key: string): Promise<Response> {
  const { query, body, headers, signal } = options;
  const asIs = body instanceof FormData || body instanceof Blob;
  const init: RequestInit = {
    method,
    cache: 'no-store',
    headers: {
      Accept: 'application/json',
      ...(body === undefined || asIs ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
      Authorization: `Bearer ${key}`,
    },
    ...(body === undefined ? {} : { body: asIs ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  };
  return fetch(addressOf(path, query), init).catch((error: unknown) => {
    throw signal?.aborted ? error : unreachable();
  });
}

/** Whether the service takes this key. Throws `ApiError` when that cannot be found out. */
export async function opens(key: string): Promise<boolean> {
  // Not a header value as it stands: a key has visible ASCII characters alone.
  if (!/^[\x21-\x7e]+$/.test(key)) return false;
  const response = await send('GET', 'executions', { query: { limit: 1 } }, key);
  if (response.ok) return true;
  const error = await errorOf(response);
  if (error.code === 'invalid_admin_key') return false;
  throw error;
}
