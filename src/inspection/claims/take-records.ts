import { InvalidRequest, ServiceError } from '../../common/service-error.js';
import type { Tx } from '../../database/tx.js';
import { placeholders } from '../corrections/subject.js';
import type { SessionRows } from './claim-requirements.js';

/** The records of a session in certain flows; none without a flow. */
export const sessionRows = ({
  sessionId,
  flowIds,
}: {
  readonly sessionId: string;
  readonly flowIds: readonly string[];
}): SessionRows => ({
  sql: `session_id = ? AND flow_id IN (${placeholders(flowIds) || 'NULL'})`,
  values: [sessionId, ...flowIds],
});

/** The number of taken records that are printed. */
interface Taken {
  readonly photographs: number;
  readonly remarks: number;
}

/**
 * Takes the pending photographs of these rows, or those with the given ids, into a claim, and with them all remarks and
 * facts recorded since the last claim. Takes nothing and returns undefined if no photograph is pending.
 */
export async function takeRecords(
  tx: Tx,
  claimId: string,
  rows: SessionRows,
  ids?: readonly string[],
): Promise<Taken | undefined> {
  const take = (table: string, condition: string, values: readonly string[] = []) =>
    tx.run(`UPDATE ${table} SET claim_id = ? WHERE ${rows.sql} AND claim_id IS NULL AND ${condition}`, [
      ...[claimId, ...rows.values, ...values],
    ]);
  let photographs = 0;
  for (const group of ids === undefined ? [undefined] : groupsOf(ids)) {
    const named = group === undefined ? '' : ` AND id IN (${placeholders(group)})`;
    photographs += await take('photographs', `withdrawn_at IS NULL${named}`, group);
  }
  if (photographs === 0) return undefined;
  const remarks = await take('remarks', 'withdrawn_at IS NULL');
  await take('facts', 'withdrawn_at IS NULL');
  // Withdrawn records are claimed too: they can no longer be corrected, and the report gives their number.
  for (const table of ['photographs', 'remarks', 'facts']) await take(table, 'withdrawn_at IS NOT NULL');
  return { photographs, remarks };
}

interface Named {
  id: string;
  claim_id: string | null;
  withdrawn_at: number | null;
}

/**
 * Checks that each id names a pending photograph of these rows. Throws 400 with the place of each that is none or is
 * withdrawn, else 409 `already_claimed`.
 */
export async function requirePending(
  tx: Tx,
  rows: SessionRows,
  ids: readonly string[],
  path: string,
): Promise<void> {
  const known = new Map<string, Named>();
  for (const group of groupsOf(ids)) {
    const found = await tx.all<Named>(
      `SELECT id, claim_id, withdrawn_at FROM photographs WHERE ${rows.sql} AND id IN (${placeholders(group)})`,
      [...rows.values, ...group],
    );
    for (const row of found) known.set(row.id, row);
  }
  const faults = ids.flatMap((id, place) => {
    const message = faultOf(known.get(id));
    return message === undefined ? [] : [{ path: `${path}.${place}`, message }];
  });
  if (faults.length > 0) throw new InvalidRequest(faults);
  const claimed = ids.filter((id) => known.get(id)!.claim_id !== null);
  if (claimed.length > 0) throw alreadyInAReport(claimed);
}

function faultOf(row: Named | undefined): string | undefined {
  if (!row) return 'is no photograph of this inspection that you may use';
  if (row.claim_id === null && row.withdrawn_at !== null) return 'is withdrawn; send withdrawn: false first';
  return undefined;
}

const MOST_NAMED = 5;

function alreadyInAReport(ids: readonly string[]): ServiceError {
  const named = ids.slice(0, MOST_NAMED).join(', ') + (ids.length > MOST_NAMED ? ' …' : '');
  return new ServiceError(
    'already_claimed',
    `A report has taken these photographs already, or is taking them: ${named}. Leave them out.`,
  );
}

/** Returns the flows of a claim's photographs. */
export async function flowsOfClaim(tx: Tx, claimId: string): Promise<string[]> {
  const rows = await tx.all<{ flow_id: string }>(
    'SELECT DISTINCT flow_id FROM photographs WHERE claim_id = ? ORDER BY flow_id',
    [claimId],
  );
  return rows.map((row) => row.flow_id);
}

const AT_ONCE = 200;

const groupsOf = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, at) =>
    ids.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
  );
