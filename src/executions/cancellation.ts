import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Logger } from '../common/logger.js';
import { NotFound } from '../common/service-error.js';
import { DatabaseReader } from '../database/database-reader.js';
import { ProcessPresence } from '../database/process-presence.js';
import { WriteGate } from '../database/write-gate.js';
import type { ExecutionStatus } from './execution.js';
import { mustBeId } from './execution-archive.js';
import { ExecutionLog } from './execution-log.js';

const EVERY_MS = 1000;
const MOST_AT_ONCE = 100;

/** What a request to cancel found. `cancelled` is false when the execution had ended before. */
export interface Cancelled {
  id: string;
  status: ExecutionStatus;
  cancelled: boolean;
}

/**
 * Stops executions wherever they run: the wish stands in the record, and the process that runs it stops it at once
 * when it is this one, else within a second, when that process looks at the wishes for its own runs.
 */
@Injectable()
export class Cancellation implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  /** Whether this process may have something running; an idle process asks the database nothing. */
  private active = true;
  private looking = false;

  constructor(
    private readonly gate: WriteGate,
    private readonly reader: DatabaseReader,
    private readonly presence: ProcessPresence,
    private readonly log: ExecutionLog,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.log.onChanged(() => (this.active = true));
    this.timer = setInterval(() => void this.look(), EVERY_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Cancels an execution, also one that waits for a human answer. Throws 404. */
  async cancel(id: string): Promise<Cancelled> {
    mustBeId(id);
    const status = await this.gate.write(async (tx) => {
      const row = await tx.one<{ status: ExecutionStatus }>('SELECT status FROM executions WHERE id = ?', [
        id,
      ]);
      if (!row) throw new NotFound('The execution');
      if (row.status === 'running')
        await tx.run('UPDATE executions SET cancel_requested = 1 WHERE id = ?', [id]);
      if (row.status === 'waiting') {
        const outcome = { status: 'aborted', httpStatus: 200, code: 'cancelled' } as const;
        await this.log.settle(tx, id, { ...outcome, finishedAt: this.clock.now() });
      }
      return row.status;
    });
    if (status === 'running') this.log.stopHere(id);
    if (status === 'waiting') return { id, status: 'aborted', cancelled: true };
    return { id, status, cancelled: status === 'running' };
  }

  /** Stops what others wished to stop of this process's runs. */
  async look(): Promise<void> {
    if (!this.active || this.looking) return;
    this.looking = true;
    this.active = false;
    try {
      const rows = await this.reader.all<{ id: string; cancel_requested: number }>(
        `SELECT id, cancel_requested FROM executions WHERE status = 'running' AND process_id = ?
         ORDER BY cancel_requested DESC LIMIT ${MOST_AT_ONCE}`,
        [this.presence.id],
      );
      this.active ||= rows.length > 0;
      for (const row of rows) if (row.cancel_requested === 1) this.log.stopHere(row.id);
    } catch (error) {
      this.active = true;
      this.logger.warn({ err: error }, 'could not look for executions to cancel');
    } finally {
      this.looking = false;
    }
  }
}
