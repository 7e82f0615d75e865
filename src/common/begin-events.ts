import type { Response } from 'express';

/**
 * Begins a stream of Server-Sent Events. False where nothing is to follow: the reader has left already, and its end
 * would never be heard; or it asked for the headers alone, and has them.
 */
export function beginEvents(response: Response, headers: Readonly<Record<string, string>>): boolean {
  if (response.closed) return false;
  response.statusCode = 200;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('X-Accel-Buffering', 'no');
  if (response.req.method === 'HEAD') response.end();
  else response.flushHeaders();
  return response.req.method !== 'HEAD';
}
