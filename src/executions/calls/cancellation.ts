import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { ExecutionStatus } from '../../api/execution-terms.js';
import type { Cancelled } from '../../api/executions.js';
import { Logger } from '../../common/logger.js';
import { Periodic } from '../../common/periodic.js';
import { NotFound } from '../../common/service-error.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { ProcessPresence } from '../../database/presence/process-presence.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { WaitingRuns } from '../approvals/waiting-runs.js';
import { CallCancelled } from '../call-outcome.js';
import { mustBeId } from '../execution-id.js';
import { ExecutionLog } from '../log/execution-log.js';
import { RunningCalls } from './running-calls.js';

const EVERY_MS = 1000;
const MOST_AT_ONCE = 100;

/** A run that resumes after a human's answer has the record of that answer. */
const RESUMING = `SELECT id FROM executions WHERE resumes = ? AND status = 'running'`;
const WISH = `UPDATE executions SET cancel_requested = 1 WHERE id = ? OR (resumes = ? AND status = 'running')`;

/**
 * Cancels executions in any process. The request is stored in the record: this process cancels its own runs at once,
 * others poll for requests every second.
 */
@Injectable()
export class Cancellation implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly looking = new Periodic(
    EVERY_MS,
    () => this.look(),
    (error) => this.logger.warn({ err: error }, 'could not look for executions to cancel'),
  );

  constructor(
    private readonly gate: WriteGate,
    private readonly reader: DatabaseReader,
    private readonly presence: ProcessPresence,
    private readonly log: ExecutionLog,
    private readonly waiting: WaitingRuns,
    private readonly calls: RunningCalls,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.looking.start();
  }

  onModuleDestroy(): void {
    void this.looking.stop();
  }

  /** Cancels an execution, also one that waits for a human. Throws 404. */
  async cancel(id: string): Promise<Cancelled> {
    mustBeId(id);
    const status = await this.gate.write(async (tx) => {
      const row = await tx.one<{ status: ExecutionStatus }>('SELECT status FROM executions WHERE id = ?', [
        id,
      ]);
      if (!row) throw new NotFound('The execution');
      if (row.status === 'waiting' && (await this.waiting.end(tx, id, 'cancelled', stoppedWaiting())))
        return row.status;
      // A click was faster: the run continues.
      const isRunning = row.status === 'running' || row.status === 'waiting';
      if (isRunning) await tx.run(WISH, [id, id]);
      return isRunning ? 'running' : row.status;
    });
    if (status === 'running') await this.cancelHere(id);
    if (status === 'waiting') return { id, status: 'aborted', cancelled: true };
    return { id, status, cancelled: status === 'running' };
  }

  /**
   * Cancels the runs of a chat for its user: those of this process at once, others within a second, including a run
   * that is being handed over.
   */
  async cancelChat(flowId: string, chatId: string): Promise<void> {
    const stopped = new Set(this.calls.cancelChat(flowId, chatId));
    const running = await this.reader.all<{ id: string; outlivesProcess: number }>(
      `SELECT id, outlives_process AS "outlivesProcess" FROM executions
       WHERE chat_id = ? AND flow_id = ? AND kind = 'prediction' AND status = 'running'`,
      [chatId, flowId],
    );
    for (const { id, outlivesProcess } of running)
      if (outlivesProcess === 1 || !stopped.has(id)) await this.cancel(id);
  }

  private async cancelHere(id: string): Promise<void> {
    if (this.log.cancelHere(id)) return;
    const resuming = await this.reader.all<{ id: string }>(RESUMING, [id]);
    for (const click of resuming) this.log.cancelHere(click.id);
  }

  /** Cancels the runs of this process whose records carry a request. Reads nothing while no run is under way. */
  async look(): Promise<void> {
    if (this.calls.count === 0) return;
    const rows = await this.reader.all<{ id: string; cancel_requested: number }>(
      `SELECT id, cancel_requested FROM executions WHERE status = 'running' AND process_id = ?
       ORDER BY cancel_requested DESC LIMIT ${MOST_AT_ONCE}`,
      [this.presence.id],
    );
    for (const row of rows) if (row.cancel_requested === 1) this.log.cancelHere(row.id);
  }
}

const stoppedWaiting = (): CallCancelled =>
  new CallCancelled(
    'cancelled',
    'The run was stopped while it waited for a human. Send the question again to start another.',
  );
