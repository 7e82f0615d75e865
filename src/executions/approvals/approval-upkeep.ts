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
 * Stops of runs that have ended, however they did, after the last one of the batch before. Whatever ends a run that waits
 * decides its stop too, so that those that wait are not looked at, however many there are.
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
 * At the start and every ten seconds: lets stops expire, ends those that an upper room finds over, and deletes the blobs
 * and snapshots of runs that have ended.
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

  /** Adds work for each round: to end waiting runs for a reason of another room. */
  alsoEnd(ending: () => Promise<void>): void {
    this.endings.push(ending);
  }

  /** Runs a round now, or joins the one under way. Never rejects: the next round retries whatever failed. */
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

  /** Deletes the bytes first: a row whose bytes are gone is found again by the next round. */
  private async deleteOne({ id, requestKey, executionId }: Left): Promise<void> {
    await this.blobs.remove(requestKey);
    await this.gate.write(async (tx) => {
      await this.approvals.clearSnapshot(tx, id);
      if (executionId === null) await tx.run('DELETE FROM run_stops WHERE id = ?', [id]);
    });
  }
}
