/**
 * Returns a signal that aborts after so many milliseconds, also where `AbortSignal.any` alone refers to it: Node 20
 * collects such a signal before it fires, and the limit is lost. One that has a listener stays.
 */
export function timeLimit(ms: number): AbortSignal {
  const limit = AbortSignal.timeout(ms);
  limit.addEventListener('abort', () => undefined, { once: true });
  return limit;
}
