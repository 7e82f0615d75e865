import { errorOf, unreachable } from '../api/api-error.js';
import { addressOf, type CallOptions, request } from '../api/client.js';
import { flowKeyOf } from './flow-keys.js';

/** Returns headers with the flow's own key, if the person has entered one. */
export function flowHeaders(flowId: string): Record<string, string> {
  const key = flowKeyOf(flowId);
  // Keys consist of visible ASCII characters; anything else may not be a valid header value.
  return key !== undefined && /^[\x21-\x7e]+$/.test(key) ? { Authorization: `Bearer ${key}` } : {};
}

/** Posts to a flow with its own key if one was entered, else with the admin key. */
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
