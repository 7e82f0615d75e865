import type { Clock } from '../../common/clock.js';
import type { Logger } from '../../common/logger.js';
import type { Tx } from '../tx.js';
import type { SharedWork } from './shared-work.js';
import type { WriteGate } from './write-gate.js';

/** The largest difference between the clocks of two processes, once they follow the database server's time. */
export const CLOCKS_APART_MS = 60_000;

/** A kind of expired rows to delete. */
interface Sweeping {
  /** The name in the log when it fails. */
  what: string;
  /** The least time between two sweeps of this process. */
  everyMs: number;
  /**
   * Deletes rows that had expired before this instant (epoch ms) by the clock of every process. It runs concurrently with
   * units that write such rows, so each statement must decide by its `WHERE`, which the database evaluates again when a row
   * has changed meanwhile, and nothing may rely on an expired row.
   */
  remove(tx: Tx, expiredBefore: number): Promise<void>;
}

/**
 * Deletes expired rows without a timer: after a call's own unit of work, in a unit that no caller awaits.
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
   * Begins a sweep when one is due. Call it after the caller's unit has ended, with which it would otherwise share a
   * transaction. Never throws: a sweep that fails is logged and retried when the next one is due.
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
