import type { SqlReader, SqlValue, Tx } from '../../database/tx.js';
import type { ThingTable } from '../things/thing-rows.js';

/** The subjects of corrections: records with an id and a claim of their own. */
export type SubjectKind = 'photograph' | 'remark' | 'fact';

/** A kind of record, and the columns that a correction may change. */
interface Subject {
  readonly kind: SubjectKind;
  readonly table: Exclude<ThingTable, 'detail_changes'>;
  readonly columns: readonly string[];
}

const AREA = ['area_key', 'area_name', 'area_type'] as const;

/** Each kind has `id`, `flow_id`, `session_id`, `claim_id` and `withdrawn_at`. */
export const SUBJECTS: readonly [photographs: Subject, remarks: Subject, facts: Subject] = [
  {
    kind: 'photograph',
    table: 'photographs',
    columns: [...AREA, 'service', 'caption', 'turn', 'withdrawn_at'],
  },
  { kind: 'remark', table: 'remarks', columns: [...AREA, 'text', 'withdrawn_at'] },
  { kind: 'fact', table: 'facts', columns: [...AREA, 'kind', 'words', 'photographs', 'withdrawn_at'] },
];

/** Columns and their values. */
export type Columns = Readonly<Record<string, SqlValue>>;

/** The current state of a record: its session, and the columns that may change. */
export interface SubjectRow {
  readonly kind: SubjectKind;
  readonly id: string;
  readonly flowId: string;
  readonly sessionId: string;
  readonly claimed: boolean;
  readonly current: Columns;
}

interface Found {
  id: string;
  flow_id: string;
  session_id: string;
  claim_id: string | null;
  [column: string]: SqlValue;
}

/** Returns the records of a kind that match a condition, in order of arrival. */
export async function subjectsWhere(
  reader: SqlReader,
  { kind, table, columns }: Subject,
  condition: string,
  values: readonly SqlValue[],
): Promise<SubjectRow[]> {
  const rows = await reader.all<Found>(
    `SELECT id, flow_id, session_id, claim_id, ${columns.join(', ')} FROM ${table} WHERE ${condition}`,
    values,
  );
  return rows.map((row) => ({
    kind,
    id: row.id,
    flowId: row.flow_id,
    sessionId: row.session_id,
    claimed: row.claim_id !== null,
    current: Object.fromEntries(columns.map((column) => [column, row[column] ?? null])),
  }));
}

/** Returns the record with this id, of any kind. */
export async function subjectOf(
  reader: SqlReader,
  id: string,
  kind?: SubjectKind,
): Promise<SubjectRow | undefined> {
  for (const subject of SUBJECTS) {
    if ((kind ?? subject.kind) !== subject.kind) continue;
    const [row] = await subjectsWhere(reader, subject, 'id = ?', [id]);
    if (row) return row;
  }
  return undefined;
}

/** Updates records of one kind equally. Returns false, after a partial update, if one of them is in no claim of `claimIds`. */
export async function updateRecords(
  tx: Tx,
  kind: SubjectKind,
  ids: readonly string[],
  next: Columns,
  claimIds: readonly string[] = [],
): Promise<boolean> {
  const { table } = SUBJECTS.find((subject) => subject.kind === kind)!;
  const columns = Object.keys(next);
  const set = columns.map((column) => `${column} = ?`).join(', ');
  const values = columns.map((column) => next[column] ?? null);
  const held = claimIds.length === 0 ? 'claim_id IS NULL' : `claim_id IN (${placeholders(claimIds)})`;
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const group = ids.slice(from, from + AT_ONCE);
    const sql = `UPDATE ${table} SET ${set} WHERE id IN (${placeholders(group)}) AND ${held}`;
    if ((await tx.run(sql, [...values, ...group, ...claimIds])) !== group.length) return false;
  }
  return true;
}

const AT_ONCE = 200;

/** Returns the placeholders of a list of values in SQL. */
export const placeholders = (values: readonly unknown[]): string => values.map(() => '?').join(', ');
