import type { SqlReader, Tx } from '../../database/tx.js';
import { changesOfUnit, type DetailChange } from '../details/detail-changes.js';
import type { SessionAddress } from '../session.js';
import { differing, stepBack } from './corrected.js';
import { CAN_BE_UNDONE, correctionsOfUnit, itemsOf } from './correction-records.js';
import { type Plan, type PlannedItem, type PlannedPlace, unclaimed } from './plan.js';
import { alreadyClaimed } from './refusals.js';
import {
  SUBJECTS,
  subjectOf,
  subjectsWhere,
  type Columns,
  type SubjectKind,
  type SubjectRow,
} from './subject.js';

/** The plan to undo one unit. */
export interface UndoPlan extends Plan {
  /** The corrections to reverse. */
  readonly corrections: readonly string[];
  /** The changes of details to reverse, newest first. */
  readonly details: readonly DetailChange[];
  /** The records to withdraw; the other items reverse corrections. */
  readonly withdrawn: ReadonlySet<string>;
}

/**
 * Plans the undo of the latest unit: withdraws the records that it made, and restores those that it corrected. Undefined
 * if nothing is left to undo. Throws 409 if a report has claimed any of it.
 */
export async function planUndo(tx: Tx, session: SessionAddress, now: number): Promise<UndoPlan | undefined> {
  const unit = await latestUnit(tx, session);
  if (unit === undefined) return undefined;
  const recorded = await recordedBy(tx, session, unit);
  const own = new Set(recorded.map(({ id }) => id));
  const live = recorded.filter(({ current }) => current.withdrawn_at === null);
  const corrections = await correctionsOfUnit(tx, session, unit);
  const { subjects, place } = await reversed(tx, session, corrections);
  unclaimed([...live, ...[...subjects.values()].map(({ subject }) => subject)]);
  const details = await changesOfUnit(tx, session, unit);
  if (details.some(({ claimed }) => claimed)) throw alreadyClaimed();
  const items: PlannedItem[] = live.map((subject) => ({
    subject,
    next: { withdrawn_at: now },
    change: { withdrawn: true, undo: true },
  }));
  for (const { subject, was } of subjects.values()) {
    if (own.has(subject.id)) continue;
    const next = differing(subject.current, was);
    items.push({ subject, next, change: stepBack(subject.current, next) });
  }
  const withdrawn = new Set(live.map(({ id }) => id));
  return { items, corrections, details, withdrawn, ...(place === undefined ? {} : { place }) };
}

async function recordedBy(tx: Tx, session: SessionAddress, executionId: string): Promise<SubjectRow[]> {
  const found: SubjectRow[] = [];
  const where = 'session_id = ? AND flow_id = ? AND execution_id = ? ORDER BY arrival, id';
  for (const subject of SUBJECTS)
    found.push(
      ...(await subjectsWhere(tx, subject, where, [session.sessionId, session.flowId, executionId])),
    );
  return found;
}

interface Reversed {
  readonly subject: SubjectRow;
  readonly was: Columns;
}

/** Returns the records of these corrections, newest first, with their columns before the oldest correction. */
async function reversed(tx: Tx, session: SessionAddress, corrections: readonly string[]) {
  const subjects = new Map<string, Reversed>();
  let place: PlannedPlace | undefined;
  let renamed: string | undefined;
  for (const correction of corrections)
    for (const { kind, id, was, change } of await itemsOf(tx, correction)) {
      if (kind === 'session') {
        renamed ??= change.area;
        place = (await placeBefore(tx, session, { was, renamed })) ?? place;
        continue;
      }
      const known = subjects.get(id);
      const subject = known?.subject ?? (await subjectOf(tx, id, kind as SubjectKind));
      if (subject) subjects.set(id, { subject, was: { ...known?.was, ...was } });
    }
  return { subjects, place };
}

/** Returns the session's area names before a rename, if they have not changed since. */
async function placeBefore(
  tx: Tx,
  { flowId, sessionId }: SessionAddress,
  { was, renamed }: { was: Columns; renamed: string | undefined },
): Promise<PlannedPlace | undefined> {
  const now = await tx.one<Columns>(
    'SELECT current_area, current_area_type, last_area, last_area_type FROM inspection_sessions WHERE flow_id = ? AND session_id = ?',
    [flowId, sessionId],
  );
  const still = ['current_area', 'last_area'].filter((area) => area in was && now?.[area] === renamed);
  const columns = still.flatMap((area) => [area, `${area}_type`]);
  if (!now || columns.length === 0) return undefined;
  const of = (row: Columns) => Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));
  return { next: of(was), was: of(now), change: { area: String(was[still[0]!]), undo: true } };
}

const PLACE = 'session_id = ? AND flow_id = ?';
const recorded = (table: string): string =>
  `SELECT execution_id AS unit, arrival FROM ${table} WHERE ${PLACE} AND withdrawn_at IS NULL`;

const LATEST = `SELECT unit FROM (
    ${recorded('photographs')} UNION ALL ${recorded('remarks')} UNION ALL ${recorded('facts')}
    UNION ALL SELECT unit, arrival FROM corrections WHERE ${PLACE} AND ${CAN_BE_UNDONE}
    UNION ALL SELECT unit, arrival FROM detail_changes WHERE ${PLACE} AND undone_by IS NULL
  ) done ORDER BY arrival DESC LIMIT 1`;

/** Returns the latest unit of the session that was not completely undone: an execution, or a single change by a route. */
async function latestUnit(
  reader: SqlReader,
  { flowId, sessionId }: SessionAddress,
): Promise<string | undefined> {
  const places = Array.from({ length: 5 }, () => [sessionId, flowId]).flat();
  return (await reader.one<{ unit: string }>(LATEST, places))?.unit;
}
