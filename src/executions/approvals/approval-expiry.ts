import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import type { ApprovalEntity } from './approval.entity.js';
import { WaitingRuns } from './waiting-runs.js';

const BATCH = 100;

/** Reads due approvals in the order of the index `run_stops_open`, after the last one of the previous batch. */
const DUE = `SELECT id, execution_id AS "executionId", expires_at AS "expiresAt" FROM run_stops
  WHERE decision IS NULL AND expires_at BETWEEN ? AND ? AND (expires_at > ? OR id > ?)
  ORDER BY expires_at, id LIMIT ${BATCH}`;

type Due = Pick<ApprovalEntity, 'id' | 'executionId' | 'expiresAt'>;

/** Ends runs whose question was not answered in time (`APPROVAL_EXPIRES_HOURS`), each once over all processes. */
@Injectable()
export class ApprovalExpiry {
  constructor(
    private readonly waiting: WaitingRuns,
    private readonly gate: WriteGate,
    private readonly reader: DatabaseReader,
    private readonly clock: Clock,
  ) {}

  /** Expires every due approval. One that fails does not hold up the others. */
  async expire(): Promise<void> {
    const now = this.clock.now();
    let last: Pick<Due, 'id' | 'expiresAt'> = { id: '', expiresAt: 0 };
    for (;;) {
      const due = await this.reader.all<Due>(DUE, [last.expiresAt, now, last.expiresAt, last.id]);
      await this.waiting.endEach(
        due.map(({ executionId }) => executionId),
        'expired',
        tooLate(),
      );
      if (due.length < BATCH) return;
      last = due.at(-1)!;
    }
  }

  /** Ends the run as failed, `approval_expired`. */
  async expireRun(executionId: string): Promise<void> {
    await this.gate.write((tx) => this.waiting.end(tx, executionId, 'expired', tooLate()));
  }
}

const tooLate = (): ServiceError =>
  new ServiceError(
    'approval_expired',
    'Nobody answered the question of the run in time. Send the message again to start another run.',
  );
