import { v7 as uuidV7 } from 'uuid';
import { declareBudget } from '../../common/budgets/budget.js';
import type { SqlReader, SqlValue, Tx } from '../../database/tx.js';
import { insertRows } from '../../database/writes/insert-rows.js';
import type { ServiceArea } from '../areas/area-type.js';
import { classifyArea } from '../areas/classify-area.js';
import { readSkippedAreas } from '../areas/skipped-areas.js';
import { type SessionAddress, takeArrivals } from '../session.js';
import type { Details, DetailValue } from './read-details.js';

/** A change of one member, or of one area reported absent. */
export interface DetailStep {
  readonly name: string;
  readonly service: ServiceArea | '';
  readonly value: DetailValue | null;
  readonly was: DetailValue | null;
}

/** A stored change. */
export interface DetailChange extends DetailStep {
  readonly id: string;
  readonly claimed: boolean;
}

const ABSENCES = 'skippedAreas';
const MOST_CHANGES = 100;

declareBudget({
  name: 'changes of the details of a session that can be taken back',
  unit: 'rows',
  owner: 'session',
  share: MOST_CHANGES,
  beyond: 'the oldest are no longer taken back',
  reason: 'An inspection has a dozen details; each is entered once and corrected a few times.',
});

/** Returns the differences between two states of the details. */
export function stepsBetween(before: Details, after: Details): DetailStep[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name): DetailStep[] => {
    if (name === ABSENCES) return absencesBetween(before[name], after[name]);
    const [was, value] = [before[name] ?? null, after[name] ?? null];
    return JSON.stringify(was) === JSON.stringify(value) ? [] : [{ name, service: '', value, was }];
  });
}

function absencesBetween(before: DetailValue | undefined, after: DetailValue | undefined): DetailStep[] {
  const [had, has] = [absentIn(before), absentIn(after)];
  const step = (service: ServiceArea, isNow: boolean): DetailStep => ({
    ...{ name: ABSENCES, service },
    value: isNow || null,
    was: !isNow || null,
  });
  return [
    ...has.filter((service) => !had.includes(service)).map((service) => step(service, true)),
    ...had.filter((service) => !has.includes(service)).map((service) => step(service, false)),
  ];
}

const absentIn = (list: DetailValue | undefined): ServiceArea[] =>
  typeof list === 'string' ? readSkippedAreas(list).skipped : [];

/** Returns the details before these changes, which are ordered newest first. */
export function withoutSteps(details: Details, steps: readonly DetailStep[]): Details {
  const members: Record<string, DetailValue> = { ...details };
  for (const { name, service, was } of steps) {
    const before = service === '' ? was : absencesBefore(members[name], service, was !== null);
    if (before === null) delete members[name];
    else members[name] = before;
  }
  return members;
}

function absencesBefore(
  list: DetailValue | undefined,
  service: ServiceArea,
  wasAbsent: boolean,
): string | null {
  const items = typeof list === 'string' ? list.split('|') : [];
  const others = items.filter((item) => item.trim() !== '' && classifyArea(item).service !== service);
  return [...others, ...(wasAbsent ? [service] : [])].join('|') || null;
}

const PLACE = 'session_id = ? AND flow_id = ?';

const INSERT = `INSERT INTO detail_changes (id, flow_id, session_id, name, service, value, was, arrival, execution_id, unit)
  VALUES`;

/** Deletes old replaced changes; the last change of each member stays, because the session shows it. */
const FORGET = `DELETE FROM detail_changes WHERE ${PLACE} AND arrival <= ? AND EXISTS (
  SELECT 1 FROM detail_changes later WHERE later.session_id = detail_changes.session_id
    AND later.flow_id = detail_changes.flow_id AND later.name = detail_changes.name
    AND later.service = detail_changes.service AND later.undone_by IS NULL AND later.arrival > detail_changes.arrival)`;

/** The session of a change of details, and the run or call that makes it, else the correction of which it is a part. */
export type DetailsPlace = SessionAddress & {
  readonly executionId?: string | undefined;
  readonly correctionId?: string;
};

/** Stores the steps of one change, under the lock of the session's row. */
export async function recordSteps(
  tx: Tx,
  { flowId, sessionId, executionId, correctionId }: DetailsPlace,
  steps: readonly DetailStep[],
  now: number,
): Promise<void> {
  if (steps.length === 0) return;
  const first = await takeArrivals(tx, { flowId, sessionId }, steps.length);
  const unit = executionId ?? correctionId ?? uuidV7({ msecs: now });
  const rows = steps.map(({ name, service, value, was }, index): SqlValue[] => [
    ...[uuidV7({ msecs: now }), flowId, sessionId, name, service, jsonOf(value), jsonOf(was)],
    ...[first + index, executionId ?? null, unit],
  ]);
  await insertRows(tx, INSERT, '', rows);
  const oldest = await tx.one<{ arrival: number }>(
    `SELECT arrival FROM detail_changes WHERE ${PLACE} ORDER BY arrival DESC LIMIT 1 OFFSET ${MOST_CHANGES}`,
    [sessionId, flowId],
  );
  if (oldest) await tx.run(FORGET, [sessionId, flowId, oldest.arrival]);
}

const jsonOf = (value: DetailValue | null): string | null => (value === null ? null : JSON.stringify(value));

interface Row {
  id: string;
  name: string;
  service: ServiceArea | '';
  value: string | null;
  was: string | null;
  claim_id: string | null;
}

/** Returns the changes of one unit that were not undone, newest first. */
export async function changesOfUnit(
  reader: SqlReader,
  { flowId, sessionId }: SessionAddress,
  unit: string,
): Promise<DetailChange[]> {
  const rows = await reader.all<Row>(
    `SELECT id, name, service, value, was, claim_id FROM detail_changes
     WHERE ${PLACE} AND unit = ? AND undone_by IS NULL ORDER BY arrival DESC`,
    [sessionId, flowId, unit],
  );
  return rows.map(({ id, name, service, value, was, claim_id }) => ({
    ...{ id, name, service, claimed: claim_id !== null },
    ...{ value: valueIn(value), was: valueIn(was) },
  }));
}

const valueIn = (json: string | null): DetailValue | null =>
  json === null ? null : (JSON.parse(json) as DetailValue);

/** Returns the current values of the members that changed since a report took them; null for one that was removed. */
export async function changedSinceReport(
  reader: SqlReader,
  { flowId, sessionId }: SessionAddress,
  details: Details,
): Promise<{ readonly [name: string]: DetailValue | null }> {
  const rows = await reader.all<{ name: string }>(
    `SELECT DISTINCT name FROM detail_changes WHERE ${PLACE} AND claim_id IS NULL AND undone_by IS NULL`,
    [sessionId, flowId],
  );
  return Object.fromEntries(rows.map(({ name }) => [name, details[name] ?? null]));
}

/** Marks the changes of these sessions that a claim's report prints. */
export async function takeChanges(
  tx: Tx,
  claimId: string,
  rows: { readonly sql: string; readonly values: readonly SqlValue[] },
): Promise<void> {
  await tx.run(`UPDATE detail_changes SET claim_id = ? WHERE ${rows.sql} AND claim_id IS NULL`, [
    claimId,
    ...rows.values,
  ]);
}

export async function markUndone(
  tx: Tx,
  changes: readonly DetailChange[],
  correctionId: string,
): Promise<void> {
  for (const { id } of changes)
    await tx.run('UPDATE detail_changes SET undone_by = ? WHERE id = ?', [correctionId, id]);
}
