import type { Request } from 'express';
import { ServiceError } from './service-error.js';

/** How long a body may bring nothing: longer than a telephone is silent between two cells. */
export const PATIENCE_MS = 15_000;

/** How often it is looked at in that time. */
export const LOOKS = 5;

/**
 * Gives up a body that is being read and brings no byte for `patienceMs`: until then it keeps its place in the room from
 * others. However slow, a body that brings something goes on; so does one that the service itself has stopped reading,
 * because a disk is slow. Several looks, since a process that stood still sees the bytes that wait for it only after
 * the first. Answers how to stop looking; the end of the body stops it as well.
 */
export function whenStalled(
  request: Request,
  giveUp: (error: ServiceError) => void,
  patienceMs = PATIENCE_MS,
): () => void {
  let silent = 0;
  const look = () => {
    silent = request.readableFlowing === false ? 0 : silent + 1;
    if (silent < LOOKS) return;
    stop();
    giveUp(stalled(patienceMs));
  };
  const timer = setInterval(look, patienceMs / LOOKS).unref();
  const stop = () => clearInterval(timer);
  request.on('data', () => (silent = 0));
  request.once('end', stop);
  request.once('close', stop);
  return stop;
}

/** The connection is of no use any more: the rest of the body would stand before the next call. */
const stalled = (patienceMs: number): ServiceError =>
  new ServiceError(
    408,
    'request_timeout',
    `Nothing of the body came for ${patienceMs / 1000} seconds. Send it again.`,
    { headers: { Connection: 'close' } },
  );
