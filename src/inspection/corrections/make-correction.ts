import { v7 as uuidV7 } from 'uuid';
import type { UndoneThing } from '../../api/things.js';
import type { Tx } from '../../database/tx.js';
import { type DetailChange, markUndone } from '../details/detail-changes.js';
import { changeDetails, undoDetails } from '../details/details-rows.js';
import { lacksPrint, type WantedPrint } from '../pictures/photograph-prints.js';
import type { SessionAddress } from '../session.js';
import { thingsOf } from '../things/thing-rows.js';
import { type CorrectedItem, type CorrectionNote, recordCorrection } from './correction-records.js';
import type { UndoPlan } from './plan-undo.js';
import type { Plan, PlannedItem } from './plan.js';
import { alreadyClaimed } from './refusals.js';
import { SUBJECTS, updateRecords } from './subject.js';

/** Limit on the characters that an answer quotes of a thing. */
const MOST_CHARACTERS = 500;

interface Place {
  readonly session: SessionAddress;
  readonly note: CorrectionNote;
}

interface Step {
  /** The number of the previous correction. */
  readonly number: number;
  readonly now: number;
}

/** Thrown to roll back the transaction, which is retried after the prints are made. */
export class PrintsWanted extends Error {
  constructor(readonly prints: readonly WantedPrint[]) {
    super('prints of turned photographs are not made yet');
  }
}

/**
 * Makes a planned correction in the open transaction; one that changes nothing is not stored. Locks in the order session,
 * details, records. An undo of the correction reverses its change of the details too.
 */
export async function makeCorrection(
  tx: Tx,
  { session, note }: Place,
  plan: Plan,
  step: Step,
): Promise<void> {
  const { areaComments } = plan;
  const id = uuidV7({ msecs: step.now });
  if (areaComments) {
    const place = { ...session, executionId: note.executionId, correctionId: id };
    await changeDetails(tx, place, { members: { areaComments }, warnings: [] }, step.now);
  }
  const items = await update(tx, session, plan);
  if (items.length > 0) await recordCorrection(tx, session, note, items, { ...step, id });
}

/** Undoes one unit in the open transaction. Locks in the order session, details, records. */
export async function makeUndo(tx: Tx, { session, note }: Place, plan: UndoPlan, step: Step): Promise<void> {
  const { corrections, details } = plan;
  await undoDetails(tx, session, details, step.now);
  const items = await update(tx, session, plan);
  const id = await recordCorrection(tx, session, { ...note, undo: { corrections } }, items, step);
  await markUndone(tx, details, id);
}

async function update(tx: Tx, session: SessionAddress, { items, place }: Plan): Promise<CorrectedItem[]> {
  const changed = items.filter(({ next }) => Object.keys(next).length > 0);
  await requirePrints(tx, changed);
  await updateAll(tx, changed);
  const noted = changed.map(notedItem);
  if (!place) return noted;
  await renamePlace(tx, session, place.next);
  return [...noted, { kind: 'session', id: session.sessionId, change: place.change, was: place.was }];
}

const notedItem = ({ subject: { kind, id, current }, change, next }: PlannedItem): CorrectedItem => ({
  ...{ kind, id, change },
  was: Object.fromEntries(Object.keys(next).map((column) => [column, current[column] ?? null])),
});

async function requirePrints(tx: Tx, items: readonly PlannedItem[]): Promise<void> {
  const wanted: WantedPrint[] = [];
  for (const { subject, next } of items) {
    if (typeof next.turn !== 'number') continue;
    const print = { photographId: subject.id, turn: next.turn };
    if (await lacksPrint(tx, print)) wanted.push(print);
  }
  if (wanted.length > 0) throw new PrintsWanted(wanted);
}

/** Updates records with equal changes together, so that a rename of thousands takes a few statements. */
async function updateAll(tx: Tx, items: readonly PlannedItem[]): Promise<void> {
  const groups = new Map<string, PlannedItem[]>();
  for (const item of items) {
    const name = JSON.stringify([item.subject.kind, item.next]);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  for (const group of groups.values()) {
    const [{ subject, next }] = group as [PlannedItem];
    const ids = group.map((item) => item.subject.id);
    if (!(await updateRecords(tx, subject.kind, ids, next))) throw alreadyClaimed();
  }
}

async function renamePlace(tx: Tx, { flowId, sessionId }: SessionAddress, next: object): Promise<void> {
  const columns = Object.entries(next) as [string, string | null][];
  const set = columns.map(([column]) => `${column} = ?`).join(', ');
  const sql = `UPDATE inspection_sessions SET ${set} WHERE flow_id = ? AND session_id = ?`;
  await tx.run(sql, [...columns.map(([, value]) => value), flowId, sessionId]);
}

/** Returns the things of an undone unit in their current state. */
export async function describeUndone(
  tx: Tx,
  { items, details, withdrawn, corrections }: UndoPlan,
): Promise<UndoneThing[]> {
  const things = await thingsOf(tx, [
    ...SUBJECTS.flatMap(({ kind, table }) =>
      items.filter(({ subject }) => subject.kind === kind).map(({ subject }) => ({ table, id: subject.id })),
    ),
    ...details.map(({ id }) => ({ table: 'detail_changes' as const, id })),
  ]);
  const reversed = new Set(items.map(({ subject }) => subject.id).filter((id) => !withdrawn.has(id)));
  // Undoing a removed detail, or comments that a rename changed, restores them.
  const isRestored = ({ name, value, was }: DetailChange) =>
    value === null || (name === 'areaComments' && was !== null && corrections.length > 0);
  for (const change of details) if (isRestored(change)) reversed.add(change.id);
  return things.map(({ kind, id, area, text }) => ({
    ...{ kind, id, area },
    ...(text === undefined ? {} : { text: text.slice(0, MOST_CHARACTERS).toWellFormed() }),
    ...(reversed.has(id) ? { corrected: true as const } : {}),
  }));
}
