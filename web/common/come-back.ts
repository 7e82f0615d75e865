import { Unreachable } from './answer.js';
import { pause } from './pause.js';

/** Waits between attempts, in milliseconds: together longer than the service keeps a run without a client. */
const WAITS = [250, 750, 1_500, 3_000, 4_000, 5_000, 5_000, 8_000];

interface Way<Ending> {
  /** Goes on where it broke off. Nothing where the service is not ready yet; throws `Unreachable` when it breaks again. */
  attempt: () => Promise<Ending | undefined>;
  /** How far it has come: after any progress the waits begin anew with the short ones. */
  place: () => unknown;
  /** It is broken, and tried again after a wait. */
  lost: () => void;
  signal: AbortSignal;
}

/** Reconnects after a lost connection. Undefined when that does not succeed, or nobody waits any more. */
export async function comeBack<Ending>({
  attempt,
  place,
  lost,
  signal,
}: Way<Ending>): Promise<Ending | undefined> {
  for (let tried = 0; tried < WAITS.length; tried++) {
    lost();
    await pause(WAITS[tried]!, signal);
    if (signal.aborted) return undefined;
    const before = place();
    try {
      const ending = await attempt();
      if (ending !== undefined) return ending;
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
    }
    if (place() !== before) tried = -1;
  }
  return undefined;
}
