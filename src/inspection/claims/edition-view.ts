import { isoTime } from '../../common/iso-time.js';
import type { SqlReader } from '../../database/tx.js';
import { correctionsOf } from '../corrections/corrected-views.js';
import { type Columns, placeholders } from '../corrections/subject.js';
import type { CorrectionInput } from '../report/report-input.js';
import { type Claim, holdersOf } from './claim.js';

/** The records of a claim in one edition of its report, without the corrections of later editions. */
export interface EditionView {
  /** The claims that hold the records, and the SQL condition that selects their rows. */
  readonly claimIds: readonly string[];
  readonly held: string;
  /** Reads rows, without condition and order, with the columns of that edition; in order of arrival. */
  rows<Row extends { id: string }>(sql: string): Promise<Row[]>;
  /** Marks a record that this edition added. */
  addition(row: { claim_id: string }): { added?: true };
  /** Returns the corrections of each of these records up to that edition, oldest first. */
  correctionsOf(ids: readonly string[]): Promise<Map<string, CorrectionInput[]>>;
}

const LATER = `SELECT subject_id, was FROM corrected_items JOIN corrections ON corrections.id = correction_id
  WHERE claim_id = ? AND edition > ? ORDER BY edition DESC`;

/**
 * Returns the view of an edition. Rows hold the newest settled edition: for an older one, reverts later corrections,
 * newest first; for one being drawn, applies its own.
 */
export async function editionView(
  reader: SqlReader,
  claim: Pick<Claim, 'id' | 'state' | 'createdAt' | 'edition'>,
): Promise<EditionView> {
  const { id, state, createdAt, edition } = claim;
  const claimIds = holdersOf(claim);
  const held = `claim_id IN (${placeholders(claimIds)})`;
  const number = edition?.number ?? 1;
  const columnsOf = new Map<string, Columns>();
  const lay = (subject: string, columns: Columns) =>
    columnsOf.set(subject, { ...columnsOf.get(subject), ...columns });
  const later = await reader.all<{ subject_id: string; was: string }>(LATER, [claimIds[0]!, number]);
  for (const { subject_id, was } of later) lay(subject_id, JSON.parse(was) as Columns);
  const own = state === 'settled' ? [] : (edition?.items ?? []);
  for (const item of own) lay(item.id, item.next);
  return {
    ...{ claimIds, held },
    rows: async <Row extends { id: string }>(sql: string) => {
      const rows = await reader.all<Row>(`${sql} WHERE ${held} ORDER BY arrival, id`, claimIds);
      return rows.map((row) => ({ ...row, ...columnsOf.get(row.id) }));
    },
    addition: ({ claim_id }) => (edition && claim_id === id ? { added: true } : {}),
    correctionsOf: async (ids) => {
      const byId: Map<string, CorrectionInput[]> = await correctionsOf(reader, ids, number);
      const wanted = new Set(ids);
      for (const { id: subject, change, reason } of own) {
        if (!wanted.has(subject)) continue;
        const one = { at: isoTime(createdAt), by: edition!.by, change, reason };
        byId.set(subject, [...(byId.get(subject) ?? []), one]);
      }
      return byId;
    },
  };
}
