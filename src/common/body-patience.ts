import type { Request } from 'express';
import { ServiceError } from './service-error.js';

/** How long a body may bring nothing: longer than a telephone is silent between two cells. */
export const PATIENCE_MS = 15_000;

/** How often it is looked at in that time. */
export const LOOKS = 5;

/** Bytes a second. What is slower is none of a telephone's networks, and would not bring a photograph in half an hour. */
export const LEAST_PACE = 500;

/**
 * Gives up a body that is being read and brings nothing for `patienceMs`, or so little that it would hold its place
 * from others for ever: each `LEAST_PACE` bytes make up for a second. One that the service itself has stopped reading,
 * because a disk is slow, goes on. Several looks, since a process that stood still sees the bytes that wait for it only
 * after the first. Answers how to stop looking; the end of the body stops it as well.
 */
export function whenStalled(
  request: Request,
  giveUp: (error: ServiceError) => void,
  patienceMs = PATIENCE_MS,
): () => void {
  const pace = (LEAST_PACE * patienceMs) / 1000 / LOOKS;
  /** In looks. */
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

/** The connection is of no use any more: the rest of the body would stand before the next call. */
const stalled = (patienceMs: number): ServiceError =>
  new ServiceError(
    408,
    'request_timeout',
    `Nothing of the body, or next to nothing, came for ${patienceMs / 1000} seconds. Send it again.`,
    { headers: { Connection: 'close' } },
  );
