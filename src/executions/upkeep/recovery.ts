import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';
import { Periodic } from '../../common/periodic.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { ProcessPresence } from '../../database/presence/process-presence.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { RunningCalls } from '../calls/running-calls.js';
import { NOBODY, Takeover } from '../calls/takeover.js';
import { ExecutionLog } from '../log/execution-log.js';
import { ForgottenRuns } from './forgotten-runs.js';

const EVERY_MS = 2_000;
const BATCH = 100;

/** Frees the keys of a dead process. A call whose record could not be ended holds its key. */
const LEAVE_KEYS = `UPDATE idempotent_answers SET process_id = NULL WHERE process_id = ? AND http_status IS NULL AND NOT EXISTS
  (SELECT 1 FROM executions WHERE executions.id = idempotent_answers.execution_id AND status = 'running')`;

/**
 * Ends what a dead process left running (contract section 8): its records become `failed`, `interrupted`, and the
 * settlement listeners refund and release, once over all processes.
 */
@Injectable()
export class Recovery implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds = new Periodic(
    EVERY_MS,
    () => this.recoverAll(),
    (error) => this.logger.error({ err: error }, 'recovery failed; retrying in 2 s'),
  );

  constructor(
    private readonly gate: WriteGate,
    private readonly reader: DatabaseReader,
    private readonly presence: ProcessPresence,
    private readonly log: ExecutionLog,
    private readonly takeover: Takeover,
    private readonly forgotten: ForgottenRuns,
    private readonly calls: RunningCalls,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Recovers before the service is ready, then every 2 s and as soon as a process is known to be gone. */
  async onApplicationBootstrap(): Promise<void> {
    this.presence.onGone(() => void this.rounds.kick());
    await this.recover();
    this.rounds.start();
  }

  /** Ends the runs still under way at shutdown, like those of a dead process; their callers get 503. */
  async onModuleDestroy(): Promise<void> {
    await this.rounds.stop();
    await this.calls.drain();
    for (const processId of this.presence.ids) await this.interrupt(processId, 503);
  }

  /** Interrupts the runs of every process that is gone. Returns the number of records ended. */
  recover(): Promise<number> {
    return this.rounds.run();
  }

  private async recoverAll(): Promise<number> {
    await this.forgotten.handOver();
    const rows = await this.reader.all<{ process_id: string }>(
      `SELECT process_id FROM executions WHERE status = 'running' AND process_id IS NOT NULL
       UNION SELECT process_id FROM idempotent_answers WHERE process_id IS NOT NULL`,
    );
    const gone = await Promise.all(
      rows.map(async ({ process_id: id }) => id === NOBODY || (await this.presence.isGone(id))),
    );
    let ended = 0;
    for (const [index, row] of rows.entries()) {
      if (!gone[index]) continue;
      await this.takeOver(row.process_id);
      ended += await this.interrupt(row.process_id);
    }
    return ended;
  }

  /** Takes over the runs that outlive their process. */
  private async takeOver(processId: string): Promise<void> {
    const rows = await this.reader.all<{ id: string }>(
      `SELECT id FROM executions WHERE status = 'running' AND process_id = ? AND outlives_process = 1 ORDER BY id`,
      [processId],
    );
    for (const { id } of rows) await this.takeover.takeOver(id, processId);
  }

  private async interrupt(processId: string, httpStatus = 500): Promise<number> {
    let ended = 0;
    let after = '';
    for (;;) {
      const rows = await this.reader.all<{ id: string }>(
        `SELECT id FROM executions WHERE status = 'running' AND process_id = ?
         AND outlives_process = 0 AND id > ? ORDER BY id LIMIT ${BATCH}`,
        [processId, after],
      );
      const settled = await Promise.all(rows.map((row) => this.settle(row.id, httpStatus)));
      ended += settled.filter((done) => done).length;
      if (rows.length < BATCH) break;
      after = rows.at(-1)!.id;
    }
    await this.gate.write((tx) => tx.run(LEAVE_KEYS, [processId]));
    if (ended > 0) this.logger.warn({ processId, ended }, 'interrupted the runs of a process that is gone');
    return ended;
  }

  /** Ends one record. A failure (a listener threw) is logged, and the next round retries it. */
  private async settle(executionId: string, httpStatus: number): Promise<boolean> {
    const outcome = {
      status: 'failed',
      httpStatus,
      code: 'interrupted',
      error: 'The process that ran it ended before the run did. Send the call again.',
      finishedAt: this.clock.now(),
    } as const;
    try {
      return await this.gate.write((tx) => this.log.settle(tx, executionId, outcome));
    } catch (error) {
      this.logger.error({ err: error, executionId }, 'an interrupted execution could not be ended');
      return false;
    }
  }
}
