import { isoTime } from '../../common/clock.js';
import type { SqlReader } from '../../database/tx.js';
import type { Claim } from '../claims/claim.js';
import { correctionsOf } from '../corrections/corrected-views.js';
import type { Columns } from '../corrections/subject.js';
import type { CorrectionInput } from '../report/report-input.js';

/** The records of a claim as one edition of its report says them, whatever later editions corrected. */
export interface SaidThen {
  /** The claim that holds the records. */
  readonly claimId: string;
  /** A row as it was said then. */
  of<Row extends { id: string }>(row: Row): Row;
  /** The corrections until then of each of these records, oldest first. */
  correctionsOf(ids: readonly string[]): Promise<Map<string, CorrectionInput[]>>;
}

const LATER = `SELECT subject_id, was FROM corrected_items JOIN corrections ON corrections.id = correction_id
  WHERE claim_id = ? AND edition > ? ORDER BY edition DESC`;

/**
 * Rows stand as the newest edition says them: for an older one its later corrections are taken back, newest first; for
 * one that is being drawn its own are laid over.
 */
export async function saidThen(
  reader: SqlReader,
  { id, state, createdAt, edition }: Pick<Claim, 'id' | 'state' | 'createdAt' | 'edition'>,
): Promise<SaidThen> {
  const claimId = edition?.baseClaimId ?? id;
  const number = edition?.number ?? 1;
  const said = new Map<string, Columns>();
  const lay = (subject: string, columns: Columns) => said.set(subject, { ...said.get(subject), ...columns });
  const later = await reader.all<{ subject_id: string; was: string }>(LATER, [claimId, number]);
  for (const { subject_id, was } of later) lay(subject_id, JSON.parse(was) as Columns);
  const own = state === 'settled' ? [] : (edition?.items ?? []);
  for (const item of own) lay(item.id, item.next);
  return {
    claimId,
    of: (row) => ({ ...row, ...said.get(row.id) }),
    correctionsOf: async (ids) => {
      const told: Map<string, CorrectionInput[]> = await correctionsOf(reader, ids, number);
      const wanted = new Set(ids);
      for (const { id: subject, change, reason } of own) {
        if (!wanted.has(subject)) continue;
        const one = { at: isoTime(createdAt), by: edition!.by, change, reason };
        told.set(subject, [...(told.get(subject) ?? []), one]);
      }
      return told;
    },
  };
}
