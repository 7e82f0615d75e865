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
import { placeholders, type SubjectRow } from '../corrections/subject.js';
import { lacksPrint, PhotographPrints } from '../pictures/photograph-prints.js';
import { outstandingOf, requirementsOf } from './claim-requirements.js';
import { type Claim, holdersOf, insertClaim } from './claim.js';
import { type EditionCorrection, planEdition } from './edition-corrections.js';
import { flowsOfClaim, requirePending, sessionRows, takeRecords } from './take-records.js';

/** The request for a further edition of the report of a settled claim. */
export interface EditionOrder {
  readonly replaced: Claim;
  readonly corrections: readonly EditionCorrection[];
  /** Pending photographs to be added: of these flows all, or those with the given ids. */
  readonly add?: { readonly flowIds: readonly string[]; readonly photographs: AddedPhotographs };
  /** Ids of the photographs of the replaced edition and of those before it, by number. */
  readonly numbered: readonly string[];
  readonly by: string;
  readonly reason: string;
  /** The complete meta to be printed. */
  readonly meta: unknown;
  readonly executionId: string;
}

/** `true` for all pending photographs, else their ids. */
export type AddedPhotographs = true | readonly string[];

/**
 * Claims of further editions (contract section 6): they correct the records of earlier ones, and take pending photographs
 * where the request adds some. Concurrent requests for the next edition of one report make one.
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
    const { replaced, by, reason, meta, executionId, numbered } = order;
    await requireNewest(tx, replaced.id);
    const now = this.clock.now();
    const id = randomUUID();
    const { items, corrected } = await this.plan(tx, replaced, order.corrections);
    for (const { id, next } of items)
      if (typeof next.turn === 'number' && (await lacksPrint(tx, { photographId: id, turn: next.turn })))
        throw alreadyReplaced();
    for (const place of sessionsOf(items)) await enterCorrections(tx, place, now);
    const taken = await added(tx, id, order);
    const flowIds = [...new Set([...replaced.flowIds, ...(taken ? await flowsOfClaim(tx, id) : [])])].sort();
    const claim = await insertClaim(
      tx,
      {
        ...{ id, sessionId: replaced.sessionId, flowIds, executionId, source: null, meta },
        ...(taken ?? { photographs: 0, remarks: 0 }),
        outstandingAreas: await this.outstanding(tx, { ...replaced, flowIds }, meta, corrected),
        photographedBefore: replaced.photographedBefore,
        // The same look, so that only corrected records differ.
        look: replaced.look,
        edition: {
          number: (replaced.edition?.number ?? 1) + 1,
          claimIds: [...holdersOf(replaced), ...(taken ? [id] : [])],
          numbered,
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
    return planEdition(tx, holdersOf(replaced), corrections, this.clock.now());
  }

  /** Returns the outstanding areas of the session, with the records that the edition corrects as corrected. */
  private outstanding(
    tx: Tx,
    { sessionId, flowIds }: Claim,
    meta: unknown,
    corrected: readonly SubjectRow[],
  ): Promise<ServiceArea[]> {
    const requirements = requirementsOf(meta, { requireComplete: false, forceFinish: false });
    const ids = corrected.map(({ id }) => id);
    const others = ids.length === 0 ? '' : ` AND id NOT IN (${placeholders(ids)})`;
    const rows = sessionRows({ sessionId, flowIds });
    return outstandingOf(
      tx,
      { sql: `${rows.sql}${others}`, values: [...rows.values, ...ids] },
      { ...requirements, settled: corrected.flatMap(serviceOf) },
    );
  }
}

/** Takes the photographs that the edition adds. Returns undefined if none is to be added or none is pending. */
async function added(tx: Tx, claimId: string, { replaced: { sessionId }, add }: EditionOrder) {
  if (!add) return undefined;
  const rows = sessionRows({ sessionId, flowIds: add.flowIds });
  if (add.photographs === true) return takeRecords(tx, claimId, rows);
  await requirePending(tx, rows, add.photographs, 'addPhotographs');
  return takeRecords(tx, claimId, rows, [...new Set(add.photographs)]);
}

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
    'A newer edition of this report exists already, or is being made. Make the next edition of the newest one.',
  );
