import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Clock } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import { ProcessPresence } from '../../database/presence/process-presence.js';
import type { Tx } from '../../database/tx.js';
import { tryOut } from '../../database/writes/try-out.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import type { AreaType, ServiceArea } from '../areas/area-type.js';
import { classifyArea } from '../areas/classify-area.js';
import { enterCorrections } from '../corrections/correction-records.js';
import type { SubjectRow } from '../corrections/subject.js';
import { lacksPrint, PhotographPrints } from '../pictures/photograph-prints.js';
import { outstandingOf, requirementsOf } from './claim-requirements.js';
import { type Claim, insertClaim } from './claim.js';
import { type EditionCorrection, planEdition } from './edition-corrections.js';

/** The request for a further edition of the report of a settled claim. */
export interface EditionOrder {
  readonly replaced: Claim;
  readonly corrections: readonly EditionCorrection[];
  readonly by: string;
  readonly reason: string;
  /** The complete meta to be printed. */
  readonly meta: unknown;
  readonly executionId: string;
}

/**
 * Claims of further editions (contract section 6): they take no records, and correct those of the first claim. Concurrent
 * requests for the next edition of one report make one.
 */
@Injectable()
export class EditionClaims {
  constructor(
    private readonly gate: WriteGate,
    private readonly presence: ProcessPresence,
    private readonly clock: Clock,
    private readonly prints: PhotographPrints,
  ) {}

  /** Makes the prints that the edition turns, before its transaction. `who` is the caller for fair scheduling. */
  async makePrints(replaced: Claim, corrections: readonly EditionCorrection[], who: string): Promise<void> {
    const turned = corrections.filter(({ change }) => change.turn !== undefined);
    if (turned.length === 0) return;
    const plan = await tryOut(this.gate, (tx) => this.plan(tx, replaced, turned));
    for (const { id, flowId, sessionId, next } of plan.items) {
      if (typeof next.turn !== 'number') continue;
      await this.prints.make({ photographId: id, turn: next.turn }, { who, chat: `${flowId} ${sessionId}` });
    }
  }

  /** Opens the claim of an edition. Throws 409 `already_replaced`, 400 or 429 without storing anything. */
  async claim(tx: Tx, order: EditionOrder): Promise<Claim> {
    const { replaced, by, reason, meta, executionId } = order;
    await requireNewest(tx, replaced.id);
    const now = this.clock.now();
    const { items, corrected } = await this.plan(tx, replaced, order.corrections);
    for (const { id, next } of items)
      if (typeof next.turn === 'number' && (await lacksPrint(tx, { photographId: id, turn: next.turn })))
        throw alreadyReplaced();
    for (const place of sessionsOf(items)) await enterCorrections(tx, place, now);
    const claim = await insertClaim(
      tx,
      {
        ...{ id: randomUUID(), sessionId: replaced.sessionId, flowIds: replaced.flowIds, executionId },
        ...{ source: null, meta, photographs: 0, remarks: 0 },
        outstandingAreas: await this.outstanding(tx, replaced, meta, corrected),
        settledBefore: replaced.settledBefore,
        // The same look, so that only corrected records differ.
        look: replaced.look,
        edition: {
          number: (replaced.edition?.number ?? 1) + 1,
          baseClaimId: baseOf(replaced),
          replaces: {
            claimId: replaced.id,
            reportId: replaced.reportId,
            createdAt: replaced.createdAt,
          },
          ...{ by, reason, items },
        },
      },
      { processId: this.presence.id, now },
    );
    if (!claim) throw alreadyReplaced();
    return claim;
  }

  private plan(tx: Tx, replaced: Claim, corrections: readonly EditionCorrection[]) {
    return planEdition(tx, baseOf(replaced), corrections, this.clock.now());
  }

  /** Returns the outstanding areas of the session, with the records that the edition corrects as corrected. */
  private outstanding(
    tx: Tx,
    { sessionId, flowIds }: Claim,
    meta: unknown,
    corrected: readonly SubjectRow[],
  ): Promise<ServiceArea[]> {
    const requirements = requirementsOf(meta, { requireComplete: false, forceFinish: false });
    const marks = (values: readonly string[]) => values.map(() => '?').join(', ');
    const ids = corrected.map(({ id }) => id);
    const others = ids.length === 0 ? '' : ` AND id NOT IN (${marks(ids)})`;
    return outstandingOf(
      tx,
      {
        sql: `session_id = ? AND flow_id IN (${marks(flowIds)})${others}`,
        values: [sessionId, ...flowIds, ...ids],
      },
      { ...requirements, settled: corrected.flatMap(serviceOf) },
    );
  }
}

const baseOf = ({ id, edition }: Claim): string => edition?.baseClaimId ?? id;

/** The service area that a record settles. */
function serviceOf({ kind, current }: SubjectRow): ServiceArea[] {
  if (current.withdrawn_at !== null || current.kind === 'observation') return [];
  if (kind === 'photograph') return current.service === null ? [] : [current.service as ServiceArea];
  const type = (current.area_type ?? undefined) as AreaType | undefined;
  const { service } = classifyArea(String(current.area_name), type);
  return service === undefined ? [] : [service];
}

function sessionsOf<Place extends { flowId: string; sessionId: string }>(items: readonly Place[]): Place[] {
  return [...new Map(items.map((item) => [`${item.flowId} ${item.sessionId}`, item])).values()];
}

async function requireNewest(tx: Tx, claimId: string): Promise<void> {
  const sql = `SELECT id FROM claims WHERE replaces_claim_id = ? AND state <> 'released' LIMIT 1`;
  if (await tx.one(sql, [claimId])) throw alreadyReplaced();
}

const alreadyReplaced = (): ServiceError =>
  new ServiceError(
    'already_replaced',
    'A newer edition of this report is there already, or is being made. Make the next one of the newest.',
  );
