/** One request of a chain of redirects. Header names are lower case. */
export interface Hop {
  url: URL;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | undefined;
}

/** Headers that are sent to another origin after a redirect; any other could be a credential. */
const harmless = new Set(['accept', 'accept-language', 'content-type', 'user-agent']);

/** Headers that the connection sets, never a caller. */
const ownedByConnection = new Set([
  ...['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'upgrade', 'expect', 'te'],
  ...['trailer', 'proxy-connection', 'proxy-authorization', 'accept-encoding'],
]);

/** Returns headers in lower case without those that the connection sets. */
export const hopHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !ownedByConnection.has(name)),
  );

/** Returns the request after a redirect; `undefined` when the answer is none. Credentials stay with their origin. */
export function nextHop(hop: Hop, status: number, location: string | string[] | undefined): Hop | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || typeof location !== 'string') return undefined;
  if (!URL.canParse(location, hop.url.href)) return undefined;
  const url = new URL(location, hop.url);
  const becomesGet = (status === 303 && hop.method !== 'HEAD') || (status < 303 && hop.method === 'POST');
  const headers = Object.entries(hop.headers).filter(
    ([name]) =>
      (url.origin === hop.url.origin || harmless.has(name)) && !(becomesGet && name === 'content-type'),
  );
  return {
    url,
    method: becomesGet ? 'GET' : hop.method,
    headers: Object.fromEntries(headers),
    body: becomesGet ? undefined : hop.body,
  };
}
