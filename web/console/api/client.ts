import { adminKey, NoAdminKey } from './admin-key.js';
import { ApiError, errorOf, unreachable } from './api-error.js';

/** Query parameters. `undefined` and empty texts are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

export interface CallOptions {
  query?: Query;
  /** Sent as JSON, except a `FormData` or `Blob`. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
}

/** Builds `/api/v1/executions?status=failed`. Escape path parts from elsewhere with `segment`. */
export function addressOf(path: string, query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  const search = new URLSearchParams(given).toString();
  return `/api/v1/${path}${search === '' ? '' : `?${search}`}`;
}

/** Escapes an id as one segment of a path. */
export const segment = (id: string): string => encodeURIComponent(id);

/** Calls the API and returns the answer as JSON, or undefined for 204. Throws `ApiError`. */
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

/** Fetches a file that needs the key, such as a photograph or a report. */
export async function file(path: string, options?: CallOptions): Promise<Blob> {
  const response = await request('GET', path, options);
  return response.blob().catch(() => {
    throw unreachable();
  });
}

/**
 * Calls the API with the admin key. If the key is missing or refused, the person is asked for it and the call is repeated.
 * Throws `ApiError`, also when there is no answer.
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

/** Checks which key was refused: `invalid_api_key` can mean a wrong admin key, or a flow that needs its own key. */
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

/** Returns whether the service accepts this key. Throws `ApiError` when that cannot be checked. */
export async function opens(key: string): Promise<boolean> {
  // Keys consist of visible ASCII characters; anything else may not be a valid header value.
  if (!/^[\x21-\x7e]+$/.test(key)) return false;
  const response = await send('GET', 'executions', { query: { limit: 1 } }, key);
  if (response.ok) return true;
  const error = await errorOf(response);
  if (error.code === 'invalid_admin_key') return false;
  throw error;
}
