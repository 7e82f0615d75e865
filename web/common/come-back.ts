import { Unreachable } from './answer.js';
import { pause } from './pause.js';

/** Delays between attempts, in milliseconds. Together longer than the service keeps a run without a client. */
const WAITS = [250, 750, 1_500, 3_000, 4_000, 5_000, 5_000, 8_000];

interface Way<Ending> {
  /** Resumes the stream. Returns undefined if the service is not ready; throws `Unreachable` if it breaks again. */
  attempt: () => Promise<Ending | undefined>;
  /** Returns the current position. After any progress the delays start again with the shortest. */
  place: () => unknown;
  /** Called before each delay. */
  lost: () => void;
  signal: AbortSignal;
}

/** Reconnects after a lost connection. Returns undefined when that fails or `signal` is aborted. */
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
