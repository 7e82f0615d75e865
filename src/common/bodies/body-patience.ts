import type { Request } from 'express';
import { ServiceError } from '../service-error.js';

/** How long a body may bring nothing: longer than a telephone is silent between two cells. */
export const PATIENCE_MS = 15_000;

/** How often it is looked at in that time. */
export const LOOKS = 5;

/** Bytes a second. Every telephone network is faster; a slower body would not bring a photograph in half an hour. */
export const LEAST_PACE = 500;

/**
 * Gives up a body that has brought nothing for `patienceMs`, or so little that it would hold its place for ever:
 * `LEAST_PACE` bytes make up for one second of silence. While the service itself has paused the reading (backpressure
 * of a slow disk), no silence is counted. Checks several times: a process that was suspended sees the bytes that have
 * arrived only after its first check. Answers a function that stops the checks; the end of the body stops them as well.
 */
export function whenStalled(
  request: Request,
  giveUp: (error: ServiceError) => void,
  patienceMs = PATIENCE_MS,
): () => void {
  const pace = (LEAST_PACE * patienceMs) / 1000 / LOOKS;
  /** Counted in checks. */
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

/** Closes the connection: the unread rest of the body would come before the next call. */
const stalled = (patienceMs: number): ServiceError =>
  new ServiceError(
    'request_timeout',
    `Nothing of the body, or next to nothing, came for ${patienceMs / 1000} seconds. Send it again.`,
    { headers: { Connection: 'close' } },
  );
