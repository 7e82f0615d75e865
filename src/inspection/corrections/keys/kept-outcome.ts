import type { SqlReader } from '../../../database/tx.js';
import { type CorrectedRecords, type CorrectionView, correctionsOf } from '../corrected-views.js';
import type { MadeCorrection } from '../correction.service.js';

/**
 * An outcome without what the service keeps anyway: a record's corrections are never changed, only more are made, so that
 * the first so many of them are those that were told. An outcome that held them would grow with each correction of a record.
 */
type KeptOutcome = { corrected: number } & {
  [Kind in keyof CorrectedRecords]: Counted<CorrectedRecords[Kind][number]>[];
};
type Counted<Told> = Omit<Told, 'corrections'> & { corrections: number };

/** The outcome as JSON text: 65,536 characters, or one record. */
export function keptOutcomeOf({ corrected, photographs, remarks, facts }: MadeCorrection): string {
  const kept: KeptOutcome = {
    corrected,
    photographs: photographs.map(counted),
    remarks: remarks.map(counted),
    facts: facts.map(counted),
  };
  return JSON.stringify(kept);
}

/** The outcome as it was told first. */
export async function toldAgain(reader: SqlReader, text: string): Promise<MadeCorrection> {
  const { corrected, photographs, remarks, facts } = JSON.parse(text) as KeptOutcome;
  const ids = [...photographs, ...remarks, ...facts].map(({ id }) => id);
  const made = await correctionsOf(reader, ids);
  const told = <Told extends { id: string; corrections: number }>(record: Told) => ({
    ...record,
    corrections: (made.get(record.id) ?? []).slice(0, record.corrections),
  });
  return {
    corrected,
    photographs: photographs.map(told),
    remarks: remarks.map(told),
    facts: facts.map(told),
  };
}

const counted = <Told extends { corrections: CorrectionView[] }>(record: Told): Counted<Told> => ({
  ...record,
  corrections: record.corrections.length,
});
