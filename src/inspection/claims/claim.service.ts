import { Injectable, type OnModuleInit } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Clock } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { ProcessPresence } from '../../database/presence/process-presence.js';
import type { Tx } from '../../database/tx.js';
import { Takeover } from '../../executions/calls/takeover.js';
import { ExecutionLog } from '../../executions/log/execution-log.js';
import type { ServiceArea } from '../areas/area-type.js';
import { takeChanges } from '../details/detail-changes.js';
import { forgetSpentComments, returnComments } from '../details/details-rows.js';
import { previousReportIn } from '../report/front-matter.js';
import type { ReportInput } from '../report/report-input.js';
import type { ReportLook } from '../report/report-look.js';
import { readHeld } from './claim-contents.js';
import { outstandingOf, photographedIn, type Requirements } from './claim-requirements.js';
import { type Claim, CLAIM_COLUMNS, claimOf, type ClaimRow, type ClaimSource, insertClaim } from './claim.js';
import { editionInput, settleEdition } from './edition-corrections.js';
import { flowsOfClaim, sessionRows, takeRecords } from './take-records.js';

/** The request for a claim. */
export interface ClaimOrder {
  sessionId: string;
  /** The flows whose photographs this caller may use; those of other flows stay pending. */
  flowIds: readonly string[];
  executionId: string;
  source: ClaimSource | null;
  /** The meta to be printed, with the logo as an asset id. */
  meta: unknown;
  requirements: Requirements;
  /** Returns the look of a report with photographs of these flows. */
  look: (flowIds: readonly string[]) => ReportLook;
}

/** The request for a render that claims nothing and reads earlier reports. */
export interface ReadingOrder {
  /** The session under which the result is stored. */
  sessionId: string;
  /** The flows whose photographs are shown. */
  flowIds: readonly string[];
  executionId: string;
  source: ClaimSource | null;
  look: ReportLook;
}

/** Reports that quote the one before: a check-out its check-in, which may quote an earlier one. */
const MOST_QUOTES = 5;

/** A flow with photographs in a session, and whether some of them are pending. */
export interface SessionFlow {
  flowId: string;
  pending: boolean;
}

/**
 * Claim once (description section 3, contract section 6): pending photographs of a session, and the remarks and
 * facts recorded so far, go to exactly one of any number of renders, in the transaction that the caller opens. A claim is `settled`
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

  /** Releases the unfinished claims of every execution that ends, also by a crash. */
  onModuleInit(): void {
    this.takeover.onTakenOver((tx, id) =>
      this.releaseOfExecution(tx, id, 'The render was interrupted; it is made again by another process.'),
    );
    this.log.onSettled(async (tx, { id, kind, status }) => {
      // A succeeded run has no unfinished claims; skipping it saves a statement per run.
      if (kind === 'prediction' && status === 'succeeded') return;
      await this.releaseOfExecution(
        tx,
        id,
        'The render was interrupted; its photographs are pending again. Render again.',
      );
    });
  }

  /**
   * Claims everything pending. Returns undefined if no photograph is pending; remarks and facts then stay pending. Throws
   * 409 `incomplete_inspection` without claiming anything if required areas are missing.
   */
  async claim(tx: Tx, order: ClaimOrder): Promise<Claim | undefined> {
    if (order.flowIds.length === 0) return undefined;
    const id = randomUUID();
    const rows = sessionRows(order);
    const taken = await takeRecords(tx, id, rows);
    if (!taken) return undefined;
    await takeChanges(tx, id, rows);
    const outstandingAreas = await this.requireComplete(tx, order);
    const photographedBefore = await photographedIn(tx, {
      sql: `${rows.sql} AND claim_id IS NOT NULL AND claim_id <> ?`,
      values: [...rows.values, id],
    });
    const { sessionId, executionId, source, meta } = order;
    const flowIds = await flowsOfClaim(tx, id);
    return this.insert(tx, {
      ...{
        id,
        sessionId,
        flowIds,
        executionId,
        source,
        meta,
        ...taken,
        outstandingAreas,
        photographedBefore,
      },
      look: order.look(flowIds),
    });
  }

  /** Opens a claim without records, to track a render that only reads earlier reports. */
  async claimNothing(tx: Tx, { flowIds, ...reading }: ReadingOrder): Promise<Claim> {
    const order = { ...reading, flowIds: [...flowIds], meta: null };
    const nothing = { photographs: 0, remarks: 0, outstandingAreas: [], photographedBefore: [] };
    return this.insert(tx, { id: randomUUID(), ...order, ...nothing });
  }

  /** Returns the complete input of a claim's report; its pages depend on nothing else. */
  async reportInput(claim: Claim, quotes = MOST_QUOTES): Promise<ReportInput> {
    const { reportId, createdAt, meta, edition, photographedBefore, look } = claim;
    const named = quotes === 0 ? undefined : previousReportIn(meta);
    const previous = named === undefined ? undefined : await this.findReport(named);
    const replaced = edition && (await this.find(edition.replaces.claimId));
    return {
      ...{ reportId, now: createdAt, meta, photographedBefore },
      ...(claim.held ?? (await readHeld(this.reader, claim))),
      ...(edition === undefined ? {} : { edition: editionInput(edition, replaced?.meta) }),
      ...(look.report === undefined ? {} : { settings: look.report }),
      ...(previous === undefined ? {} : { previous: await this.reportInput(previous, quotes - 1) }),
    };
  }

  /** Settles the claim and stores an edition's corrections. Returns false if it was released: do not store the report. */
  async settle(tx: Tx, claim: Claim): Promise<boolean> {
    const changed = await tx.run(
      `UPDATE claims SET state = 'settled', meta = ?, ended_at = ? WHERE id = ? AND state = 'drawing'`,
      [JSON.stringify(claim.meta ?? null), this.clock.now(), claim.id],
    );
    await forgetSpentComments(tx, claim.id);
    if (changed === 1) await settleEdition(tx, claim);
    return changed === 1;
  }

  /**
   * Releases an unfinished claim: its photographs, remarks and facts are pending again, and its comments return to the
   * record. Returns false if the claim has already ended.
   */
  async release(tx: Tx, claimId: string, failure: string): Promise<boolean> {
    const released = await tx.run(
      `UPDATE claims SET state = 'released', failure = ?, ended_at = ? WHERE id = ? AND state = 'drawing'`,
      [failure, this.clock.now(), claimId],
    );
    if (released === 0) return false;
    await returnComments(tx, claimId);
    for (const table of ['photographs', 'remarks', 'facts', 'detail_changes'])
      await tx.run(`UPDATE ${table} SET claim_id = NULL WHERE claim_id = ?`, [claimId]);
    return true;
  }

  /** Releases the unfinished claims of an execution that has ended. */
  async releaseOfExecution(tx: Tx, executionId: string, failure: string): Promise<void> {
    const left = await tx.all<{ id: string }>(
      `SELECT id FROM claims WHERE execution_id = ? AND state = 'drawing'`,
      [executionId],
    );
    for (const { id } of left) await this.release(tx, id, failure);
  }

  async find(claimId: string): Promise<Claim | undefined> {
    const row = await this.reader.one<ClaimRow>(`SELECT ${CLAIM_COLUMNS} FROM claims WHERE id = ?`, [
      claimId,
    ]);
    return row && claimOf(row);
  }

  /** Finds the settled claim of the report of an inspection by the id of the report. */
  async findReport(reportId: string): Promise<Claim | undefined> {
    const row = await this.reader.one<ClaimRow>(
      `SELECT ${CLAIM_COLUMNS} FROM claims WHERE report_id = ? AND source IS NULL AND state = 'settled'`,
      [reportId],
    );
    return row && claimOf(row);
  }

  /** Returns true if another render has claimed photographs of the session and is still drawing. */
  async isDrawing(tx: Tx, sessionId: string): Promise<boolean> {
    const sql = `SELECT id FROM claims WHERE session_id = ? AND state = 'drawing' AND photographs > 0 LIMIT 1`;
    return (await tx.one(sql, [sessionId])) !== undefined;
  }

  /** Returns true if a photograph of these flows in the session is pending. */
  async hasPending(tx: Tx, sessionId: string, flowIds: readonly string[]): Promise<boolean> {
    const rows = sessionRows({ sessionId, flowIds });
    const pending = `SELECT id FROM photographs WHERE ${rows.sql} AND claim_id IS NULL AND withdrawn_at IS NULL LIMIT 1`;
    return (await tx.one(pending, rows.values)) !== undefined;
  }

  /** Returns the flows with photographs in this session, pending or not. */
  async flowsOfSession(sessionId: string): Promise<SessionFlow[]> {
    const rows = await this.reader.all<{ flow_id: string; pending: number }>(
      `SELECT flow_id, MAX(CASE WHEN claim_id IS NULL AND withdrawn_at IS NULL THEN 1 ELSE 0 END) AS pending
       FROM photographs WHERE session_id = ? GROUP BY flow_id ORDER BY flow_id`,
      [sessionId],
    );
    return rows.map((row) => ({ flowId: row.flow_id, pending: Number(row.pending) === 1 }));
  }

  private async requireComplete(tx: Tx, order: ClaimOrder): Promise<ServiceArea[]> {
    const { requirements } = order;
    const outstanding = await outstandingOf(tx, sessionRows(order), requirements);
    if (outstanding.length === 0 || !requirements.requireComplete) return outstanding;
    throw new ServiceError(
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
    return (await insertClaim(tx, made, { processId: this.presence.id, now: this.clock.now() }))!;
  }
}
