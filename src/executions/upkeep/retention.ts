import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { ExecutionStatus } from '../../api/execution-terms.js';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';
import { Periodic } from '../../common/periodic.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { REPLAY_MS } from '../calls/key-entry.js';
import { firstIdAt } from '../execution-id.js';
import { deleteExecutions } from '../read/execution-archive.js';

const EVERY_MS = 3_600_000;
const FIRST_AFTER_MS = 60_000;
const BATCH = 200;
const PAUSE_MS = 20;

const ENDED: readonly ExecutionStatus[] = ['succeeded', 'failed', 'aborted', 'waiting'];

/**
 * Deletes rows past their retention, hourly and in small batches, so that no writer waits long: records after
 * `EXECUTION_RETENTION_DAYS`, refused calls after `REFUSED_RETENTION_DAYS`, stored answers after 24 hours.
 */
@Injectable()
export class Retention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly sweeping = new Periodic(
    EVERY_MS,
    () => this.sweep(),
    (error) => this.logger.error({ err: error }, 'retention failed; retrying in an hour'),
  );

  constructor(
    private readonly gate: WriteGate,
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.sweeping.start(FIRST_AFTER_MS);
  }

  onModuleDestroy(): void {
    void this.sweeping.stop();
  }

  /** Deletes everything that is due. Returns the number of records deleted. */
  async sweep(): Promise<number> {
    const now = this.clock.now();
    let deleted = await this.deleteBefore('rejected', now - this.config.refusedRetentionMs);
    for (const status of ENDED) {
      deleted += await this.deleteBefore(status, now - this.config.executionRetentionMs);
    }
    await this.untilNone(() => this.deleteAnswersBefore(now - REPLAY_MS));
    return deleted;
  }

  private async deleteBefore(status: ExecutionStatus, epochMs: number): Promise<number> {
    const bound = firstIdAt(epochMs);
    return this.untilNone(() =>
      this.gate.write(async (tx) => {
        const rows = await tx.all<{ id: string }>(
          `SELECT id FROM executions WHERE status = ? AND id < ? ORDER BY id LIMIT ${BATCH}`,
          [status, bound],
        );
        if (rows.length > 0)
          await deleteExecutions(
            tx,
            rows.map((row) => row.id),
          );
        return rows.length;
      }),
    );
  }

  private deleteAnswersBefore(epochMs: number): Promise<number> {
    return this.gate.write((tx) =>
      tx.run(
        `DELETE FROM idempotent_answers WHERE process_id IS NULL AND execution_id IN
         (SELECT execution_id FROM idempotent_answers WHERE created_at <= ? AND process_id IS NULL
          ORDER BY created_at LIMIT ${BATCH})`,
        [epochMs],
      ),
    );
  }

  private async untilNone(deleteBatch: () => Promise<number>): Promise<number> {
    let deleted = 0;
    while (!this.sweeping.isStopped) {
      const count = await deleteBatch();
      deleted += count;
      if (count < BATCH) break;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    return deleted;
  }
}
