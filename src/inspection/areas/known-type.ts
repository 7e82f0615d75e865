import type { Tx } from '../../database/tx.js';
import type { SessionAddress } from '../session.js';
import type { AreaType } from './area-type.js';
import { areaNamed } from './classify-area.js';
import { normalizeArea } from './normalize-area.js';

const TABLES = ['photographs', 'remarks', 'facts'];
const IN_SESSION = 'WHERE session_id = ? AND flow_id = ? AND area_key IN (?, ?) AND withdrawn_at IS NULL';
const KNOWN_TYPE = `SELECT area_type FROM (${TABLES.map(
  (table, order) => `SELECT ${order} AS place, arrival, area_type FROM ${table} ${IN_SESSION}`,
).join(' UNION ALL ')}) AS recorded ORDER BY place, arrival DESC LIMIT 1`;

/** Returns the type that the session's records have for an area, so that they share one heading. */
export async function knownType(
  tx: Tx,
  { flowId, sessionId }: SessionAddress,
  name: string,
): Promise<AreaType | undefined> {
  const values = [sessionId, flowId, areaNamed(name).key, normalizeArea(name)];
  const row = await tx.one<{ area_type: AreaType }>(
    KNOWN_TYPE,
    TABLES.flatMap(() => values),
  );
  return row?.area_type;
}
