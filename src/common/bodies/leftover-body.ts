import type { NextFunction, Request, Response } from 'express';
import { LEAST_PACE, PATIENCE_MS } from './body-patience.js';

/**
 * Reads and discards the unread body of an answered call, so that its caller can read the answer: closing a connection on
 * which bytes still arrive resets it, and many clients then lose an answer that was sent before. Node discards such a
 * body only if the connection will be reused. A body that stalls is given up, since one that drips would hold its
 * connection for half an hour; so is one of which more than `most` bytes arrive, since one without an end would hold it
 * for ever.
 */
export const discardLeftovers =
  (most: number) =>
  (request: Request, response: Response, next: NextFunction): void => {
    response.once('prefinish', () => {
      if (!request.complete && isLastAnswer(response)) closeAfterBody(request);
    });
    response.once('finish', () => {
      if (!request.complete) closeUnlessItEnds(request, most);
    });
    next();
  };

const isLastAnswer = (response: Response): boolean =>
  !response.shouldKeepAlive || response.getHeader('Connection') === 'close';

/** Delays the close of Node at the end of an answer with `Connection: close` until the body has arrived. */
function closeAfterBody(request: Request): void {
  const { socket } = request;
  const closeOnceWritten = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    socket.end();
    if (request.complete) closeOnceWritten();
    else request.once('end', closeOnceWritten).resume();
  };
}

function closeUnlessItEnds(request: Request, most: number): void {
  const { socket } = request;
  const first = socket.bytesRead;
  let read = first;
  const look = () => {
    const come = socket.bytesRead - read;
    read = socket.bytesRead;
    if (request.complete || socket.destroyed) clearInterval(timer);
    else if (come < (LEAST_PACE * PATIENCE_MS) / 1000 || read - first > most) socket.destroy();
  };
  const timer = setInterval(look, PATIENCE_MS).unref();
}
