import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseAway, OutcomeUnknown } from './away.js';

const PAUSES_MS = [100, 200, 400, 800, 1_600];

/**
 * Retries a write that completes finished work, for some three seconds while the database is unavailable. Throws the error
 * of `write`; does not retry `OutcomeUnknown`, because a second try would collide with the first.
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
