import { v7 as uuidV7 } from 'uuid';
import type { Tx } from '../../database/tx.js';
import type { Claim } from './claim.js';

/**
 * Opens a claim, under which a render is drawn. Undefined, and nothing done, where it is an edition of a report that has
 * another one.
 */
export async function insertClaim(
  tx: Tx,
  made: Omit<Claim, 'state' | 'reportId' | 'failure' | 'createdAt'>,
  { processId, now: createdAt }: { processId: string; now: number },
): Promise<Claim | undefined> {
  const reportId = uuidV7({ msecs: createdAt });
  const claim: Claim = { ...made, state: 'drawing', reportId, failure: null, createdAt };
  const inserted = await tx.run(
    `INSERT INTO claims (id, session_id, flow_ids, state, process_id, execution_id, report_id, source, meta, photographs,
       remarks, outstanding_areas, settled_before, created_at, replaces_claim_id, edition, look)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    [
      claim.id,
      claim.sessionId,
      JSON.stringify(claim.flowIds),
      claim.state,
      processId,
      claim.executionId,
      claim.reportId,
      claim.source === null ? null : JSON.stringify(claim.source),
      JSON.stringify(claim.meta ?? null),
      claim.photographs,
      claim.remarks,
      JSON.stringify(claim.outstandingAreas),
      JSON.stringify(claim.settledBefore),
      claim.createdAt,
      claim.edition?.replaces.claimId ?? null,
      claim.edition === undefined ? null : JSON.stringify(claim.edition),
      JSON.stringify(claim.look),
    ],
  );
  return inserted === 1 ? claim : undefined;
}
