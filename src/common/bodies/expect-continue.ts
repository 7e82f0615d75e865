import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Calls that wait for `100 Continue`, with the value of `shouldKeepAlive` that Node had chosen. */
const waiting = new WeakMap<IncomingMessage, boolean>();

/**
 * Delays `100 Continue` until the body is read, which is after the checks: a refused caller gets the final status alone
 * and never uploads. Node by itself would send it before the call is checked.
 */
export function askLate(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.set(request, response.shouldKeepAlive);
    // Without `100 Continue` the next bytes may be the body or another call (RFC 9110, 10.1.1).
    response.shouldKeepAlive = false;
    server.emit('request', request, response);
  });
}

/** Sends `100 Continue` once to a caller that waits for it. */
export function askForBody(request: IncomingMessage & { res?: ServerResponse | undefined }): void {
  const keepsAlive = waiting.get(request);
  if (keepsAlive === undefined || !request.res || request.res.headersSent) return;
  waiting.delete(request);
  request.res.shouldKeepAlive = keepsAlive;
  request.res.writeContinue();
}
