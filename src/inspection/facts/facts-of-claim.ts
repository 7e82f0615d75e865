import type { SqlReader } from '../../database/tx.js';
import type { SaidThen } from '../editions/said-then.js';
import type { FactInput, ReportInput } from '../report/report-input.js';
import { type FactRow, recordedFact } from './record-facts.js';

interface ClaimedRow extends FactRow {
  recorded_at: number;
  withdrawn_at: number | null;
}

/** The facts that a claim holds, in order of arrival, and apart those that were withdrawn; no member where it holds none. */
export async function factsOfClaim(
  reader: SqlReader,
  said: SaidThen,
): Promise<Pick<ReportInput, 'facts' | 'withdrawnFacts'>> {
  const kept = await reader.all<ClaimedRow>(
    `SELECT id, kind, area_name, area_type, words, photographs, recorded_at, withdrawn_at FROM facts
     WHERE claim_id = ? ORDER BY arrival, id`,
    [said.claimId],
  );
  const rows = kept.map((row) => said.of(row));
  const told = await said.correctionsOf(rows.map(({ id }) => id));
  const inputs = rows.map((row): FactInput => {
    const { id, kind, area: areaName, areaType, fact, photographs } = recordedFact(row);
    const corrections = told.get(id);
    return {
      ...{ id, kind, areaName, areaType, fact, photographs, recordedAt: row.recorded_at },
      ...(row.withdrawn_at === null ? {} : { withdrawnAt: row.withdrawn_at }),
      ...(corrections === undefined ? {} : { corrections }),
    };
  });
  const facts = inputs.filter(({ withdrawnAt }) => withdrawnAt === undefined);
  const withdrawnFacts = inputs.filter(({ withdrawnAt }) => withdrawnAt !== undefined);
  return {
    ...(facts.length === 0 ? {} : { facts }),
    ...(withdrawnFacts.length === 0 ? {} : { withdrawnFacts }),
  };
}
