import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Readiness } from '../../common/health/readiness.js';
import { DatabaseAway } from '../away.js';
import { WriteGate } from '../writes/write-gate.js';
import { ProcessPresence } from './process-presence.js';

/**
 * An update that changes nothing but needs everything that a write needs: lock, disk and connection.
 */
const SAME_AGAIN = 'UPDATE migrations SET name = name WHERE id = (SELECT min(id) FROM migrations)';

/** Time for which a result is cached, so that frequent checks do not write each time. */
const FRESH_MS = 1_000;
const PATIENCE_MS = 3_500;

/**
 * Checks for `/health/ready` within 5 s whether this process can write, and whether others may take it for dead (contract
 * sections 8 and 13).
 */
@Injectable()
export class WriteProbe implements OnModuleInit {
  private writing: { since: number; end: Promise<unknown> } | undefined;
  private wroteAt = -Infinity;

  constructor(
    private readonly gate: WriteGate,
    private readonly presence: ProcessPresence,
    private readonly readiness: Readiness,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.readiness.onCheck(() => this.check());
  }

  /** Throws 503 `overloaded` when a write does not succeed in time. */
  async check(): Promise<void> {
    if (this.presence.mayBeTakenForDead) throw notWritable();
    if (this.clock.elapsed() - this.wroteAt < FRESH_MS) return;
    this.writing ??= this.write();
    const { since, end } = this.writing;
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      const leftMs = PATIENCE_MS - (this.clock.elapsed() - since);
      timer = setTimeout(() => reject(notWritable()), Math.max(0, leftMs));
    });
    await Promise.race([end, tooLate]).finally(() => clearTimeout(timer));
  }

  /** Starts a write that all waiting checks share. */
  private write() {
    const since = this.clock.elapsed();
    const end = this.gate
      .write((tx) => tx.run(SAME_AGAIN), [])
      .then(() => (this.wroteAt = this.clock.elapsed()))
      .finally(() => (this.writing = undefined));
    end.catch(() => undefined);
    return { since, end };
  }
}

const notWritable = (): DatabaseAway =>
  new DatabaseAway(undefined, 'The database cannot be written to at present. Try again shortly.');
