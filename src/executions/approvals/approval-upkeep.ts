import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Logger } from '../../common/logger.js';
import { Periodic } from '../../common/periodic.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { BlobStore } from '../../storage/blob-store.js';
import { ApprovalExpiry } from './approval-expiry.js';
import { ApprovalStore } from './approval-store.js';

const EVERY_MS = 10_000;

const BATCH = 100;

/**
 * Reads decided approvals of ended runs, after the last one of the previous batch. Whatever ends a waiting run decides
 * its approval too, so open approvals need not be read.
 */
const LEFT = `SELECT run_stops.id, request_key AS "requestKey", executions.id AS "executionId" FROM run_stops
  LEFT JOIN executions ON executions.id = execution_id
  WHERE request_key IS NOT NULL AND decision IS NOT NULL AND (executions.id IS NULL OR status NOT IN ('running', 'waiting'))
  AND run_stops.id > ? ORDER BY run_stops.id LIMIT ${BATCH}`;

interface Left {
  id: string;
  requestKey: string;
  executionId: string | null;
}

/**
 * Runs at start and every ten seconds: expires approvals, ends those that other modules find over, and deletes the
 * blobs and snapshots of ended runs.
 */
@Injectable()
export class ApprovalUpkeep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds = new Periodic(
    EVERY_MS,
    () => this.work(),
    (error) => this.logger.error({ err: error }, 'approvals were not looked after'),
  );
  private readonly endings: (() => Promise<void>)[] = [];

  constructor(
    private readonly expiry: ApprovalExpiry,
    private readonly approvals: ApprovalStore,
    private readonly gate: WriteGate,
    private readonly reader: DatabaseReader,
    private readonly blobs: BlobStore,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start(0);
  }

  async onModuleDestroy(): Promise<void> {
    await this.rounds.stop();
  }

  /** Adds work for each round: ending waiting runs for a reason that another module knows. */
  alsoEnd(ending: () => Promise<void>): void {
    this.endings.push(ending);
  }

  /** Runs a round now, or after the one under way. Never rejects: the next round retries. */
  round(): Promise<void> {
    return this.rounds.kick();
  }

  private async work(): Promise<void> {
    await this.expiry.expire();
    for (const end of this.endings) await end();
    await this.deleteStored();
  }

  private async deleteStored(): Promise<void> {
    for (let after = ''; ;) {
      const left = await this.reader.all<Left>(LEFT, [after]);
      for (const approval of left)
        await this.deleteOne(approval).catch((error: unknown) =>
          this.logger.error(
            { err: error, approval: approval.id },
            'the call of an ended run could not be deleted',
          ),
        );
      if (left.length < BATCH) return;
      after = left.at(-1)!.id;
    }
  }

  /** Deletes the blob before the row: the next round finds a row whose blob is gone. */
  private async deleteOne({ id, requestKey, executionId }: Left): Promise<void> {
    await this.blobs.remove(requestKey);
    await this.gate.write(async (tx) => {
      await this.approvals.clearSnapshot(tx, id);
      if (executionId === null) await tx.run('DELETE FROM run_stops WHERE id = ?', [id]);
    });
  }
}
