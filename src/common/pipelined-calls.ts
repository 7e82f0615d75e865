import type { NextFunction, Request, Response } from 'express';
import type { Socket } from 'node:net';

/** Answers that wait behind others on their connection, by the connection. */
const waiting = new WeakMap<Socket, Set<Response>>();

/**
 * Closes the answers that wait behind another one when their connection ends. Node before version 24 tells such an
 * answer nothing: what is counted or kept until `close` would be counted and kept for ever. Before everything else.
 */
export function closeWithConnection(request: Request, response: Response, next: NextFunction): void {
  // Node gives an answer its socket when it is the turn of that answer.
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
  // What `closed` reads; there is no public way to set it.
  Object.assign(response, { _closed: true });
  response.emit('close');
}
