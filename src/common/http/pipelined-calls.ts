import type { NextFunction, Request, Response } from 'express';
import type { Socket } from 'node:net';

/** Responses that wait behind others on their connection, by connection. */
const waiting = new WeakMap<Socket, Set<Response>>();

/**
 * Emits `close` on responses that wait behind another one when their connection ends. Node before version 24 does not, so
 * everything that is held until `close` would leak. Mounted before all other middleware.
 */
export function closeWithConnection(request: Request, response: Response, next: NextFunction): void {
  // Node assigns a socket to a response once the responses before it are written.
  if (response.socket === null) waitOn(request.socket, response);
  next();
}

function waitOn(socket: Socket, response: Response): void {
  let answers = waiting.get(socket);
  if (!answers) {
    const made = new Set<Response>();
    waiting.set(socket, (answers = made));
    socket.once('close', () => made.forEach(close));
  }
  const queued = answers.add(response);
  response.once('close', () => queued.delete(response));
}

function close(response: Response): void {
  if (response.closed) return;
  response.destroy();
  // `closed` reads this field; there is no public way to set it.
  Object.assign(response, { _closed: true });
  response.emit('close');
}
