import type { SqlReader } from '../../database/tx.js';
import { type CorrectedRecords, correctedRecords } from './corrected-views.js';
import type { SubjectKind } from './subject.js';

/** Records of which an answer tells, and characters of JSON that these take together without their corrections. */
const MOST_TOLD = 100;
const MOST_CHARACTERS = 65_536;

/** The first of the records, as they stand: one at least, and no more than an answer tells of. */
export async function toldRecords(
  reader: SqlReader,
  subjects: readonly { readonly kind: SubjectKind; readonly id: string }[],
): Promise<CorrectedRecords> {
  const { photographs, remarks, facts } = await correctedRecords(reader, subjects.slice(0, MOST_TOLD));
  let characters = 0;
  let told = 0;
  const fits = (record: { corrections: unknown[] }): boolean => {
    characters += JSON.stringify({ ...record, corrections: [] }).length;
    return told++ === 0 || characters <= MOST_CHARACTERS;
  };
  return { photographs: photographs.filter(fits), remarks: remarks.filter(fits), facts: facts.filter(fits) };
}
