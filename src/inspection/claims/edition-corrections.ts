import type { Change } from '../../api/corrections.js';
import { InvalidRequest } from '../../common/service-error.js';
import type { Tx } from '../../database/tx.js';
import type { AreaType } from '../areas/area-type.js';
import { type CorrectedItem, lockCorrections, recordCorrection } from '../corrections/correction-records.js';
import { planChange, type PlannedItem } from '../corrections/plan.js';
import {
  type Columns,
  placeholders,
  updateRecords,
  subjectsWhere,
  type SubjectKind,
  type SubjectRow,
  SUBJECTS,
} from '../corrections/subject.js';
import type { FactKind, FactWords } from '../facts/fact.js';
import type { EditionInput, RecordState } from '../report/report-input.js';
import type { Claim, Edition, EditionItem } from './claim.js';

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

/**
 * Plans the corrections, and moves readings, keys and alarms that none of them names with their photographs. Throws 400 for a
 * record outside these claims, one named twice, and invalid members.
 */
export async function planEdition(
  tx: Tx,
  claimIds: readonly string[],
  requested: readonly EditionCorrection[],
  now: number,
): Promise<EditionPlan> {
  const held = requested.length === 0 ? new Map<string, SubjectRow>() : await subjectsOf(tx, claimIds);
  const others = new Map(held);
  const items: EditionItem[] = [];
  const corrected: SubjectRow[] = [];
  const add = async (subject: SubjectRow, change: Change, reason: string): Promise<void> => {
    const { kind, id, flowId, sessionId } = subject;
    // An edition may correct records of its own claim.
    const target = () => Promise.resolve([{ ...subject, claimed: false }]);
    const { items: planned } = await planChange(tx, { flowId, sessionId }, target, change, now);
    const [{ next, change: made }] = planned as [PlannedItem];
    corrected.push({ ...subject, current: { ...subject.current, ...next } });
    if (Object.keys(next).length === 0) return;
    items.push({ kind, id, flowId, sessionId, change: made, reason, before: subject.current, next });
  };
  for (const { path, kind, id, change, reason } of requested) {
    const subject = others.get(`${kind} ${id}`);
    if (!subject) throw wrong(`${path}.${kind}Id`, `is no ${kind} of this report, or is named twice`);
    others.delete(`${kind} ${id}`);
    await add(subject, change, reason);
  }
  for (const { fact, change, reason } of movedFacts([...others.values()], held, items))
    await add(fact, change, reason);
  return { items, corrected };
}

/** Returns the readings, keys and alarms whose photographs are all moved from their area to the same other one. */
function movedFacts(
  subjects: readonly SubjectRow[],
  held: ReadonlyMap<string, SubjectRow>,
  items: readonly EditionItem[],
): { fact: SubjectRow; change: Change; reason: string }[] {
  const moves = items.filter(({ kind, change }) => kind === 'photograph' && change.area !== undefined);
  const moved = new Map(moves.map((item) => [item.id, item]));
  const keyOf = (id: string) =>
    moved.get(id)?.next.area_key ?? held.get(`photograph ${id}`)?.current.area_key;
  return subjects.flatMap((fact) => {
    const { kind, area_key: key, withdrawn_at: withdrawn, photographs } = fact.current;
    if (moved.size === 0 || fact.kind !== 'fact' || kind === 'observation' || withdrawn !== null) return [];
    const cited = JSON.parse(String(photographs)) as string[];
    const move = cited
      .flatMap((id) => moved.get(id) ?? [])
      .find(({ before, next }) => before.area_key === key && next.area_key !== undefined);
    if (!move || cited.some((id) => keyOf(id) !== move.next.area_key)) return [];
    const { area, areaType } = move.change;
    const change = { area: area!, ...(areaType === undefined ? {} : { areaType }) };
    return [{ fact, change, reason: move.reason }];
  });
}

async function subjectsOf(tx: Tx, claimIds: readonly string[]): Promise<Map<string, SubjectRow>> {
  const held = new Map<string, SubjectRow>();
  for (const subject of SUBJECTS) {
    const rows = await subjectsWhere(tx, subject, `claim_id IN (${placeholders(claimIds)})`, claimIds);
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
  const { number: editionNumber, claimIds, by } = edition;
  for (const group of groups(edition.items)) {
    const [{ flowId, sessionId, reason }] = group as [EditionItem];
    const session = { flowId, sessionId };
    const number = await lockCorrections(tx, session);
    for (const { kind, id, next } of group)
      if (!(await updateRecords(tx, kind, [id], next, claimIds)))
        throw new Error('a record of the edition is no longer in its claim');
    const note = { by, reason, executionId, edition: { claimId: claimIds[0]!, number: editionNumber } };
    await recordCorrection(tx, session, note, group.map(correctedItem), { number, now: createdAt });
  }
}

const correctedItem = ({ kind, id, change, before, next }: EditionItem): CorrectedItem => ({
  ...{ kind, id, change },
  was: Object.fromEntries(Object.keys(next).map((column) => [column, before[column] ?? null])),
});

/** Groups items of one session with one reason, which make one correction. */
function groups(items: readonly EditionItem[]): EditionItem[][] {
  const found = new Map<string, EditionItem[]>();
  for (const item of items) {
    const name = JSON.stringify([item.flowId, item.sessionId, item.reason]);
    found.set(name, [...(found.get(name) ?? []), item]);
  }
  return [...found.values()];
}

/** Returns the edition for its report; `metaBefore` is that of the replaced report. */
export const editionInput = (
  { number, replaces, reason, numbered, items }: Edition,
  metaBefore: unknown,
): EditionInput => ({
  ...{ number, replaces, reason, numbered, metaBefore },
  corrected: items.map((item) => ({
    ...{ kind: item.kind, id: item.id, reason: item.reason },
    before: stateOf(item.kind, item.before),
    after: stateOf(item.kind, { ...item.before, ...item.next }),
  })),
});

function stateOf(kind: SubjectKind, columns: Columns): RecordState {
  const { area_name: area, area_type: areaType, withdrawn_at: withdrawn, turn, caption, text } = columns;
  const common = {
    area: String(area),
    areaType: areaType as AreaType,
    withdrawn: withdrawn !== null,
  };
  if (kind === 'photograph')
    return { ...common, turn: Number(turn), ...(caption === null ? {} : { caption: String(caption) }) };
  if (kind === 'remark') return { ...common, text: String(text) };
  const fact = {
    kind: columns.kind as FactKind,
    words: JSON.parse(String(columns.words)) as FactWords,
    photographs: JSON.parse(String(columns.photographs)) as string[],
  };
  return { ...common, fact };
}
