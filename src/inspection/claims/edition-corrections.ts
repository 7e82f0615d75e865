import type { Change } from '../../api/corrections.js';
import { InvalidRequest } from '../../common/service-error.js';
import type { Tx } from '../../database/tx.js';
import { lockCorrections, recordCorrection } from '../corrections/correction-records.js';
import { planChange, type PlannedItem } from '../corrections/plan.js';
import {
  updateRecords,
  subjectsWhere,
  type SubjectKind,
  type SubjectRow,
  SUBJECTS,
} from '../corrections/subject.js';
import type { Claim, EditionItem } from './claim.js';

/** A correction requested for an edition; `path` is its place in the request. */
export interface EditionCorrection {
  readonly path: string;
  readonly kind: SubjectKind;
  readonly id: string;
  readonly change: Change;
  readonly reason: string;
}

/** The planned corrections, and their records as corrected. */
export interface EditionPlan {
  readonly items: readonly EditionItem[];
  readonly corrected: readonly SubjectRow[];
}

/** Plans the corrections. Throws 400 for a record outside the claim, one named twice, and invalid members. */
export async function planEdition(
  tx: Tx,
  claimId: string,
  requested: readonly EditionCorrection[],
  now: number,
): Promise<EditionPlan> {
  const held = requested.length === 0 ? new Map<string, SubjectRow>() : await subjectsOf(tx, claimId);
  const items: EditionItem[] = [];
  const corrected: SubjectRow[] = [];
  for (const { path, kind, id, change, reason } of requested) {
    const subject = held.get(`${kind} ${id}`);
    if (!subject) throw wrong(`${path}.${kind}Id`, `is no ${kind} of this report, or is named twice`);
    held.delete(`${kind} ${id}`);
    const { flowId, sessionId } = subject;
    // An edition may correct records of its own claim.
    const target = () => Promise.resolve([{ ...subject, claimed: false }]);
    const { items: planned } = await planChange(tx, { flowId, sessionId }, target, change, now);
    const [{ next, change: made }] = planned as [PlannedItem];
    corrected.push({ ...subject, current: { ...subject.current, ...next } });
    if (Object.keys(next).length === 0) continue;
    const was = Object.fromEntries(
      Object.keys(next).map((column) => [column, subject.current[column] ?? null]),
    );
    items.push({ kind, id, flowId, sessionId, change: made, reason, next, was });
  }
  return { items, corrected };
}

async function subjectsOf(tx: Tx, claimId: string): Promise<Map<string, SubjectRow>> {
  const held = new Map<string, SubjectRow>();
  for (const subject of SUBJECTS) {
    const rows = await subjectsWhere(tx, subject, 'claim_id = ?', [claimId]);
    for (const row of rows) held.set(`${row.kind} ${row.id}`, row);
  }
  return held;
}

const wrong = (path: string, message: string): InvalidRequest => new InvalidRequest([{ path, message }]);

/** Stores the corrections of an edition, in the transaction that stores its report. */
export async function settleEdition(
  tx: Tx,
  { edition, createdAt, executionId }: Pick<Claim, 'edition' | 'createdAt' | 'executionId'>,
): Promise<void> {
  if (!edition) return;
  const { number: editionNumber, baseClaimId: claimId, by } = edition;
  for (const group of groups(edition.items)) {
    const [{ flowId, sessionId, reason }] = group as [EditionItem];
    const session = { flowId, sessionId };
    const number = await lockCorrections(tx, session);
    for (const { kind, id, next } of group)
      if (!(await updateRecords(tx, kind, [id], next, claimId)))
        throw new Error('a record of the edition is no longer in its claim');
    const note = { by, reason, executionId, edition: { claimId, number: editionNumber } };
    await recordCorrection(tx, session, note, group, { number, now: createdAt });
  }
}

/** Groups items of one session with one reason, which make one correction. */
function groups(items: readonly EditionItem[]): EditionItem[][] {
  const found = new Map<string, EditionItem[]>();
  for (const item of items) {
    const name = JSON.stringify([item.flowId, item.sessionId, item.reason]);
    found.set(name, [...(found.get(name) ?? []), item]);
  }
  return [...found.values()];
}
