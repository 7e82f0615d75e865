import type { Tx } from '../../database/tx.js';
import type { Claim } from '../claims/claim.js';
import { lockCorrections, recordCorrection } from '../corrections/correction-records.js';
import { sayAnew } from '../corrections/subject.js';
import type { EditionItem } from './edition.js';

/** Keeps the corrections of an edition, in the transaction that keeps its report. */
export async function settleEdition(
  tx: Tx,
  { edition, createdAt, executionId }: Pick<Claim, 'edition' | 'createdAt' | 'executionId'>,
): Promise<void> {
  if (!edition) return;
  const { number: editionNumber, baseClaimId: claimId, by } = edition;
  for (const group of groups(edition.items)) {
    const [{ flowId, sessionId, reason }] = group as [EditionItem];
    const session = { flowId, sessionId };
    const number = await lockCorrections(tx, session);
    for (const { kind, id, next } of group)
      if (!(await sayAnew(tx, kind, [id], next, claimId)))
        throw new Error('a record of the edition is no longer in its claim');
    const note = { by, reason, executionId, edition: { claimId, number: editionNumber } };
    await recordCorrection(tx, session, note, group, { number, now: createdAt });
  }
}

/** Those of one session with one reason are one correction. */
function groups(items: readonly EditionItem[]): EditionItem[][] {
  const found = new Map<string, EditionItem[]>();
  for (const item of items) {
    const name = JSON.stringify([item.flowId, item.sessionId, item.reason]);
    found.set(name, [...(found.get(name) ?? []), item]);
  }
  return [...found.values()];
}
