import { setTimeout as sleep } from 'node:timers/promises';
import type { Emit } from './language-model.js';
import { ModelError } from './model-error.js';

/** Retries of one call. */
export const MOST_RETRIES = 2;
const LONGEST_WAIT_MS = 20_000;

/**
 * Asks for an answer. Retries temporary faults before the first event: when the provider allows, else after `firstWaitMs`,
 * then twice that. Does not retry when the provider requires a pause of more than 20 s.
 */
export async function withRetries(
  ask: (emit: Emit) => Promise<void>,
  emit: Emit,
  firstWaitMs: number,
  signal: AbortSignal,
): Promise<void> {
  let emitted = false;
  let refused: { error: unknown } | undefined;
  const emitting: Emit = (event) => {
    emitted = true;
    try {
      emit(event);
    } catch (error) {
      refused ??= { error };
      throw error;
    }
  };
  for (let retries = 0; ; retries++) {
    try {
      return await ask(emitting);
    } catch (error) {
      // The reader failed, not the model.
      if (refused) throw refused.error;
      const wait =
        emitted || retries === MOST_RETRIES ? undefined : waitFor(error, firstWaitMs * 2 ** retries);
      if (signal.aborted || wait === undefined) throw error;
      await sleep(wait, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

/** Returns the wait before a retry: that of the provider, else `usualMs`; undefined when a retry is useless. */
export function waitFor(error: unknown, usualMs: number): number | undefined {
  if (!(error instanceof ModelError) || !error.mayPass) return undefined;
  const wait = error.retryAfterMs ?? usualMs;
  return wait <= LONGEST_WAIT_MS ? wait : undefined;
}

/** Returns the wait in `retry-after`, given in seconds or as a date; `now` is the answer's own date. */
export function retryAfterMs(header: string | undefined, now: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '') return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1_000 : undefined;
  const wait = Date.parse(header) - Date.parse(now ?? '');
  return Number.isFinite(wait) ? Math.max(wait, 0) : undefined;
}
