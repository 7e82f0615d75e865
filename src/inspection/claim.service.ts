import { Injectable, type OnModuleInit } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { v7 as uuidV7 } from 'uuid';
import { Clock } from '../common/clock.js';
import { ServiceError } from '../common/service-error.js';
import { DatabaseReader } from '../database/database-reader.js';
import { ProcessPresence } from '../database/process-presence.js';
import type { Tx } from '../database/tx.js';
import { Takeover } from '../executions/calls/takeover.js';
import { ExecutionLog } from '../executions/execution-log.js';
import type { ServiceArea } from './areas/area-type.js';
import { type Claim, claimOf, type ClaimRow, type ClaimSource } from './claim.js';
import {
  photographInput,
  PHOTOGRAPH_COLUMNS,
  type PhotographRow,
  remarkInput,
  type RemarkRow,
  type SessionPlace,
} from './claim-contents.js';
import { outstandingOf, type Requirements } from './claim-requirements.js';
import type { PhotographInput, RemarkInput, ReportInput } from './report/report-input.js';

/** What a render wants to take. */
export interface ClaimOrder {
  sessionId: string;
  /** The flows whose photographs this caller may use; those of others stay pending. */
  flowIds: readonly string[];
  executionId: string;
  /** As it will be printed, with the logo as the id of an asset. */
  meta: unknown;
  requirements: Requirements;
}

/** What a render that takes nothing will read instead. */
export interface ReadingOrder {
  /** The session under which the result is kept. */
  sessionId: string;
  /** The flows whose photographs are shown. */
  flowIds: readonly string[];
  executionId: string;
  source: ClaimSource;
}

/** A flow that photographs of a session came from, and whether some of those are pending. */
export interface SessionFlow {
  flowId: string;
  pending: boolean;
}

/**
 * Claim once (description section 3, contract section 6): pending photographs of a session, and the remarks recorded
 * so far, go to exactly one of any number of renders, in the transaction that the caller opens. A claim is `settled`
 * with its report or `released`, never both, and only while it is `drawing`.
 */
@Injectable()
export class ClaimService implements OnModuleInit {
  constructor(
    private readonly reader: DatabaseReader,
    private readonly presence: ProcessPresence,
    private readonly clock: Clock,
    private readonly log: ExecutionLog,
    private readonly takeover: Takeover,
  ) {}

  /** However an execution ends, of a crash too, none leaves photographs behind in an unfinished claim. */
  onModuleInit(): void {
    this.takeover.onTakenOver((tx, id) =>
      this.releaseOfExecution(tx, id, 'The render was interrupted; it is made again by another process.'),
    );
    this.log.onSettled(async (tx, { id, kind, status }) => {
      // Every node of a run that succeeded has ended, so its claims have too: no statement for the many runs.
      if (kind === 'prediction' && status === 'succeeded') return;
      await this.releaseOfExecution(
        tx,
        id,
        'The render was interrupted; its photographs are pending again. Render again.',
      );
    });
  }

  /**
   * Takes everything pending, or answers undefined when there is no pending photograph (remarks alone stay). Throws
   * 409 `incomplete_inspection`, having taken nothing, when areas are required and missing.
   */
  async claim(tx: Tx, order: ClaimOrder): Promise<Claim | undefined> {
    if (order.flowIds.length === 0) return undefined;
    const id = randomUUID();
    const place = sessionPlace(order);
    const take = (table: string) =>
      tx.run(`UPDATE ${table} SET claim_id = ? WHERE ${place.sql} AND claim_id IS NULL`, [
        id,
        ...place.values,
      ]);
    const photographs = await take('photographs');
    if (photographs === 0) return undefined;
    const remarks = await take('remarks');
    const outstandingAreas = await this.requireComplete(tx, order);
    const { sessionId, executionId, meta } = order;
    const flowIds = await flowsOf(tx, id);
    const taken = { photographs, remarks, outstandingAreas };
    return this.insert(tx, {
      id,
      sessionId,
      flowIds,
      executionId,
      source: { type: 'inspection' },
      meta,
      ...taken,
    });
  }

  /** A claim that takes nothing: the place where a render that only reads earlier reports stands until it ends. */
  async claimNothing(tx: Tx, { sessionId, flowIds, executionId, source }: ReadingOrder): Promise<Claim> {
    const order = { sessionId, flowIds: [...flowIds], executionId, source, meta: null };
    return this.insert(tx, { id: randomUUID(), ...order, photographs: 0, remarks: 0, outstandingAreas: [] });
  }

  /** Everything that the claim's report is made of, in order of arrival. */
  async contents(claimId: string): Promise<{ photographs: PhotographInput[]; remarks: RemarkInput[] }> {
    const [photographs, remarks] = await Promise.all([
      this.reader.all<PhotographRow>(
        `SELECT ${PHOTOGRAPH_COLUMNS} FROM photographs WHERE claim_id = ? ORDER BY arrival, id`,
        [claimId],
      ),
      this.reader.all<RemarkRow>(
        'SELECT area_name, area_type, text FROM remarks WHERE claim_id = ? ORDER BY arrival, id',
        [claimId],
      ),
    ]);
    return { photographs: inOneOrder(photographs).map(photographInput), remarks: remarks.map(remarkInput) };
  }

  /** What the report of a claim says, and nothing else decides. */
  async reportInput({ id, reportId, createdAt, meta }: Claim): Promise<ReportInput> {
    return { reportId, now: createdAt, ...(await this.contents(id)), meta };
  }

  /** Ends the claim with its report; false when it was released meanwhile: then the report must not be kept. */
  async settle(tx: Tx, claimId: string, meta: unknown): Promise<boolean> {
    const changed = await tx.run(
      `UPDATE claims SET state = 'settled', meta = ?, ended_at = ? WHERE id = ? AND state = 'drawing'`,
      [JSON.stringify(meta ?? null), this.clock.now(), claimId],
    );
    return changed === 1;
  }

  /** Makes what an unfinished render took pending again. False, and nothing done, when the claim had ended before. */
  async release(tx: Tx, claimId: string, failure: string): Promise<boolean> {
    const released = await tx.run(
      `UPDATE claims SET state = 'released', failure = ?, ended_at = ? WHERE id = ? AND state = 'drawing'`,
      [failure, this.clock.now(), claimId],
    );
    if (released === 0) return false;
    await tx.run('UPDATE photographs SET claim_id = NULL WHERE claim_id = ?', [claimId]);
    await tx.run('UPDATE remarks SET claim_id = NULL WHERE claim_id = ?', [claimId]);
    return true;
  }

  /** Releases whatever an execution that has ended left unfinished. */
  async releaseOfExecution(tx: Tx, executionId: string, failure: string): Promise<void> {
    const left = await tx.all<{ id: string }>(
      `SELECT id FROM claims WHERE execution_id = ? AND state = 'drawing'`,
      [executionId],
    );
    for (const { id } of left) await this.release(tx, id, failure);
  }

  async find(claimId: string): Promise<Claim | undefined> {
    const row = await this.reader.one<ClaimRow>('SELECT * FROM claims WHERE id = ?', [claimId]);
    return row && claimOf(row);
  }

  /** Whether another render has taken photographs of the session and is drawing at this moment. */
  async isDrawing(tx: Tx, sessionId: string): Promise<boolean> {
    const sql = `SELECT id FROM claims WHERE session_id = ? AND state = 'drawing' AND photographs > 0 LIMIT 1`;
    return (await tx.one(sql, [sessionId])) !== undefined;
  }

  /** The flows that photographs of this session came from, pending ones or not. */
  async flowsOfSession(sessionId: string): Promise<SessionFlow[]> {
    const rows = await this.reader.all<{ flow_id: string; pending: number }>(
      `SELECT flow_id, MAX(CASE WHEN claim_id IS NULL THEN 1 ELSE 0 END) AS pending
       FROM photographs WHERE session_id = ? GROUP BY flow_id ORDER BY flow_id`,
      [sessionId],
    );
    return rows.map((row) => ({ flowId: row.flow_id, pending: Number(row.pending) === 1 }));
  }

  private async requireComplete(tx: Tx, order: ClaimOrder): Promise<ServiceArea[]> {
    const { requirements } = order;
    const outstanding = await outstandingOf(tx, sessionPlace(order), requirements);
    if (outstanding.length === 0 || !requirements.requireComplete) return outstanding;
    throw new ServiceError(
      409,
      'incomplete_inspection',
      `These areas are outstanding: ${outstanding.join(', ')}. Photograph them, list the absent ones in ` +
        'meta.skippedAreas, or send forceFinish: true.',
      { members: { outstandingAreas: outstanding } },
    );
  }

  private async insert(
    tx: Tx,
    made: Omit<Claim, 'state' | 'reportId' | 'failure' | 'createdAt'>,
  ): Promise<Claim> {
    const createdAt = this.clock.now();
    const reportId = uuidV7({ msecs: createdAt });
    const claim: Claim = { ...made, state: 'drawing', reportId, failure: null, createdAt };
    await tx.run(
      `INSERT INTO claims (id, session_id, flow_ids, state, process_id, execution_id, report_id, source, meta, photographs,
         remarks, outstanding_areas, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        claim.id,
        claim.sessionId,
        JSON.stringify(claim.flowIds),
        claim.state,
        this.presence.id,
        claim.executionId,
        claim.reportId,
        claim.source.type === 'inspection' ? null : JSON.stringify(claim.source),
        JSON.stringify(claim.meta ?? null),
        claim.photographs,
        claim.remarks,
        JSON.stringify(claim.outstandingAreas),
        claim.createdAt,
      ],
    );
    return claim;
  }
}

const sessionPlace = ({ sessionId, flowIds }: ClaimOrder): SessionPlace => ({
  sql: `session_id = ? AND flow_id IN (${flowIds.map(() => '?').join(', ')})`,
  values: [sessionId, ...flowIds],
});

/** Arrivals are counted per flow: those of several are told in one order, by the time of receipt. */
function inOneOrder(rows: PhotographRow[]): PhotographRow[] {
  if (rows.every((row) => row.flow_id === rows[0]?.flow_id)) return rows;
  const sorted = [...rows].sort((one, other) => one.received_at - other.received_at);
  return sorted.map((row, arrival) => ({ ...row, arrival }));
}

async function flowsOf(tx: Tx, claimId: string): Promise<string[]> {
  const rows = await tx.all<{ flow_id: string }>(
    'SELECT DISTINCT flow_id FROM photographs WHERE claim_id = ? ORDER BY flow_id',
    [claimId],
  );
  return rows.map((row) => row.flow_id);
}
