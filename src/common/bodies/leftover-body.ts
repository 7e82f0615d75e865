import type { NextFunction, Request, Response } from 'express';
import { LEAST_PACE, PATIENCE_MS } from './body-patience.js';

/**
 * A call may be answered before its body has come: refused, or on a route that takes none. Node reads the rest and throws
 * it away, so that the connection can be used again; one that drips would hold it for half an hour, and is closed.
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
