import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../common/clock.js';
import type { Tx } from '../../database/tx.js';
import type { WriteGate } from '../../database/writes/write-gate.js';

/** A service that waits for SQLite's write lock looks for it so often. */
const LOOKED_FOR_MS = 10;
const LONGEST_PAUSE_MS = 200;

/**
 * The writes of a move, which share the database with a service that runs: units of work through the write gate, one at a
 * time, and after each the write lock stays free for as long as it was held. A unit should take a few hundred rows.
 */
export class ConsiderateWrites {
  constructor(
    private readonly gate: Pick<WriteGate, 'write'>,
    private readonly clock: Pick<Clock, 'elapsed'>,
    private readonly rest: (ms: number) => Promise<unknown> = pause,
  ) {}

  /** As `WriteGate.write`. */
  async write<Value>(work: (tx: Tx) => Promise<Value>): Promise<Value> {
    return this.after(() => this.gate.write(work));
  }

  /** The same for something that writes through the gate by itself. */
  async after<Value>(written: () => Promise<Value>): Promise<Value> {
    const began = this.clock.elapsed();
    const value = await written();
    const took = this.clock.elapsed() - began;
    await this.rest(Math.min(Math.max(took, LOOKED_FOR_MS), LONGEST_PAUSE_MS));
    return value;
  }
}
