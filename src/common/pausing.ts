import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from './clock.js';

/** Long work of pure code: it yields wherever it may pause. A server runs it `inTurns`, a command `atOnce`. */
export type Pausing<Result> = Generator<void, Result, void>;

/** The event loop is held for so long, and for what the work does between two of its yields. */
const HELD_MS = 10;

export function atOnce<Result>(work: Pausing<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Lets others have their turn every 10 ms. Rejects with what the work throws. */
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
