import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from './clock.js';

/** Long pure work that yields wherever it may pause. A server runs it `inTurns`, a command `atOnce`. */
export type Pausing<Result> = Generator<void, Result, void>;

/** The time after which the work lets the event loop run at its next yield. */
const HELD_MS = 10;

export function atOnce<Result>(work: Pausing<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Runs work and lets the event loop run every 10 ms. Rejects with the error of the work. */
export async function inTurns<Result>(work: Pausing<Result>, clock: Pick<Clock, 'elapsed'>): Promise<Result> {
  let since = clock.elapsed();
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (clock.elapsed() - since < HELD_MS) continue;
    await nextTurn();
    since = clock.elapsed();
  }
}
