/**
 * Returns a signal that aborts after so many milliseconds. It has a listener, because Node 20 garbage-collects a timeout
 * signal that only `AbortSignal.any` refers to, and the limit would be lost.
 */
export function timeLimit(ms: number): AbortSignal {
  const limit = AbortSignal.timeout(ms);
  limit.addEventListener('abort', () => undefined, { once: true });
  return limit;
}
