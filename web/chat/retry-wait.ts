const WAITS_MS = [5_000, 10_000, 20_000, 30_000];

/** Returns the delay before the next attempt while the network or the service is down. The last one repeats. */
export const retryWait = (tries: number, waits: readonly number[] = WAITS_MS): number | undefined =>
  waits[Math.min(tries, waits.length - 1)];
