import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Callers that hold their body back until it is asked for, and whether their connection may go on after the answer. */
const waiting = new WeakMap<IncomingMessage, boolean>();

/**
 * Leaves `Expect: 100-continue` to whoever reads the body, which is after the checks: a refused caller gets the final
 * status alone, and never uploads. Node by itself would say "go on" before anybody has looked at the call.
 */
export function askLate(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.set(request, response.shouldKeepAlive);
    // Unasked, nobody knows whether what comes next on the connection is the body or another call (RFC 9110, 10.1.1).
    response.shouldKeepAlive = false;
    server.emit('request', request, response);
  });
}

/** Asks for the body where the caller waits for that; once. */
export function askForBody(request: IncomingMessage & { res?: ServerResponse | undefined }): void {
  const keepsAlive = waiting.get(request);
  if (keepsAlive === undefined || !request.res || request.res.headersSent) return;
  waiting.delete(request);
  request.res.shouldKeepAlive = keepsAlive;
  request.res.writeContinue();
}
