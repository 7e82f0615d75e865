import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';

/** Sends a JSON POST with the given headers, `Host` included, which `fetch` sets by itself. */
export async function callRaw(
  url: string,
  headers: Record<string, string>,
  body: object,
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
): Promise<{ status: number; body: any }> {
  const request = http.request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
  });
  request.end(JSON.stringify(body));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode!, body: await json(response) };
}
