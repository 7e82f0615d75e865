import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseAway, OutcomeUnknown } from './away.js';

const PAUSES_MS = [100, 200, 400, 800, 1_600];

/**
 * Makes a write that ends something already done: tried again for some three seconds while the database is away, because
 * what was done is worth it. Throws what `write` throws, `OutcomeUnknown` at once: a second try would find the first.
 */
export async function patiently<Value>(write: () => Promise<Value>): Promise<Value> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof DatabaseAway) || error instanceof OutcomeUnknown) throw error;
      await wait(pauseMs);
    }
  }
  return write();
}
