import { errorOf, unreachable } from '../api/api-error.js';
import { addressOf, type CallOptions, request } from '../api/client.js';
import { flowKeyOf } from './flow-keys.js';

/** Headers with the flow's own key, where this page was given one. An open flow asks for none. */
export function flowHeaders(flowId: string): Record<string, string> {
  const key = flowKeyOf(flowId);
  // A header value has visible ASCII characters alone; what is none is no key either.
  return key !== undefined && /^[\x21-\x7e]+$/.test(key) ? { Authorization: `Bearer ${key}` } : {};
}

/** A POST that obeys the rules of a flow: with the flow's key where one was given, else with the admin key. */
export async function postToFlow(
  flowId: string,
  path: string,
  { query, body, headers, signal }: CallOptions,
): Promise<Response> {
  const own = flowHeaders(flowId);
  if (own['Authorization'] === undefined)
    return request('POST', path, { query: query ?? {}, body, headers: headers ?? {}, signal });
  const response = await fetch(addressOf(path, query), {
    method: 'POST',
    cache: 'no-store',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json', ...headers, ...own },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    throw signal?.aborted ? error : unreachable();
  });
  if (!response.ok) throw await errorOf(response);
  return response;
}
