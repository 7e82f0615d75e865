import type { NextFunction, Request, Response } from 'express';
import { LEAST_PACE, PATIENCE_MS } from './body-patience.js';

/**
 * Closes the connection of an answered call whose unread body stalls. Node reads and discards the rest of such a body so
 * that the connection can be reused, but a body that drips would hold it for half an hour.
 */
export function giveUpLeftovers(request: Request, response: Response, next: NextFunction): void {
  response.once('finish', () => {
    if (!request.complete) closeWhenStalled(request);
  });
  next();
}

function closeWhenStalled(request: Request): void {
  const { socket } = request;
  let read = socket.bytesRead;
  const look = () => {
    const come = socket.bytesRead - read;
    read = socket.bytesRead;
    if (request.complete || socket.destroyed) clearInterval(timer);
    else if (come < (LEAST_PACE * PATIENCE_MS) / 1000) socket.destroy();
  };
  const timer = setInterval(look, PATIENCE_MS).unref();
}
