import type { Request } from 'express';
import { ServiceError } from '../service-error.js';

/** The longest pause in a body: longer than a phone is silent while it changes cells. */
export const PATIENCE_MS = 15_000;

/** Checks in that time. */
export const LOOKS = 5;

/** The lowest rate in bytes a second. Every mobile network is faster; a slower body takes half an hour for a photograph. */
export const LEAST_PACE = 500;

/**
 * Calls `giveUp` when a body has stalled for `patienceMs`. `LEAST_PACE` bytes make up for one second of silence, so a body
 * that drips is given up too. Time while the service itself has paused the reading (backpressure of a slow disk) does not
 * count. Checks several times, because a process that was suspended sees arrived bytes only after its first check.
 * Returns a function that stops the checks; the end of the body stops them as well.
 */
export function whenStalled(
  request: Request,
  giveUp: (error: ServiceError) => void,
  patienceMs = PATIENCE_MS,
): () => void {
  const pace = (LEAST_PACE * patienceMs) / 1000 / LOOKS;
  /** Checks without progress. */
  let silent = 0;
  const look = () => {
    silent = request.readableFlowing === false ? 0 : silent + 1;
    if (silent < LOOKS) return;
    stop();
    giveUp(stalled(patienceMs));
  };
  const timer = setInterval(look, patienceMs / LOOKS).unref();
  const stop = () => clearInterval(timer);
  request.on('data', (chunk: Buffer) => (silent = Math.max(0, silent - chunk.length / pace)));
  request.once('end', stop);
  request.once('close', stop);
  return stop;
}

/** Closes the connection, because the unread rest of the body would precede the next call. */
const stalled = (patienceMs: number): ServiceError =>
  new ServiceError(
    'request_timeout',
    `No more of the body arrived for ${patienceMs / 1000} seconds, or almost nothing. Send it again.`,
    { headers: { Connection: 'close' } },
  );
