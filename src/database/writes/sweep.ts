import type { Clock } from '../../common/clock.js';
import type { Logger } from '../../common/logger.js';
import type { Tx } from '../tx.js';
import type { SharedWork } from './shared-work.js';
import type { WriteGate } from './write-gate.js';

/** More than the clocks of two processes differ, unless a machine's is wrong by more and its process has not learnt the server's time yet. */
export const CLOCKS_APART_MS = 60_000;

/** The rows that are swept away. */
export interface Sweeping {
  /** For the log, where it fails. */
  what: string;
  /** The least time between two sweeps of this process. */
  everyMs: number;
  /**
   * Deletes the rows that had expired before this instant (epoch ms), by the clock of every process. It runs beside the
   * units that write such rows, by this process and others: each statement must decide by its `WHERE`, which is read
   * again where another has changed the row meanwhile, and nothing may count on a row that has expired.
   */
  remove(tx: Tx, expiredBefore: number): Promise<void>;
}

/**
 * Deletes expired rows where calls leave them, without a timer: behind a call's own unit of work, in a unit that no
 * caller waits for and that holds up only who shares its transaction.
 */
export class Sweep {
  private begunAt = -Infinity;
  private underWay = false;
  private readonly work: SharedWork<undefined, void>;

  constructor(
    private readonly gate: WriteGate,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly sweeping: Sweeping,
  ) {
    this.work = {
      // A power cut brings back rows that the next sweep deletes.
      soonDurable: true,
      keysOf: () => [],
      write: async (tx, items) => {
        await sweeping.remove(tx, clock.now() - CLOCKS_APART_MS);
        return items.map(() => undefined);
      },
    };
  }

  /**
   * Begins a sweep where one is due; called when the caller's unit has ended, with which it would else share a
   * transaction. Never throws: a sweep that fails is logged, and tried again when the next one is due.
   */
  whenDue(): void {
    const { what, everyMs } = this.sweeping;
    const now = this.clock.now();
    // A clock that was set back makes a sweep due.
    if (this.underWay || Math.abs(now - this.begunAt) < everyMs) return;
    this.begunAt = now;
    this.underWay = true;
    this.gate
      .writeTogether(this.work, undefined)
      .catch((error: unknown) => this.logger.error({ err: error, what }, 'expired rows were not deleted'))
      .finally(() => (this.underWay = false));
  }
}
