import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../common/clock.js';
import type { Tx } from '../../database/tx.js';
import type { WriteGate } from '../../database/writes/write-gate.js';

/** The interval at which a waiting service tries to get SQLite's write lock. */
const LOOKED_FOR_MS = 10;
const LONGEST_PAUSE_MS = 200;

/**
 * The writes of a move, which shares the database with a running service: units of work through the write gate, one at a
 * time. After each, the write lock stays free for as long as it was held. A unit should write a few hundred rows.
 */
export class ConsiderateWrites {
  constructor(
    private readonly gate: Pick<WriteGate, 'write'>,
    private readonly clock: Pick<Clock, 'elapsed'>,
    private readonly rest: (ms: number) => Promise<unknown> = pause,
  ) {}

  /** Runs `WriteGate.write`. */
  async write<Value>(work: (tx: Tx) => Promise<Value>): Promise<Value> {
    return this.after(() => this.gate.write(work));
  }

  /** Runs something that writes through the gate itself. */
  async after<Value>(written: () => Promise<Value>): Promise<Value> {
    const began = this.clock.elapsed();
    const value = await written();
    const took = this.clock.elapsed() - began;
    await this.rest(Math.min(Math.max(took, LOOKED_FOR_MS), LONGEST_PAUSE_MS));
    return value;
  }
}
