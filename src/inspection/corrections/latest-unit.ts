import type { SqlReader } from '../../database/tx.js';
import type { SessionAddress } from '../session.js';
import { CAN_BE_UNDONE } from './correction-records.js';

const PLACE = 'session_id = ? AND flow_id = ?';
const recorded = (table: string): string =>
  `SELECT execution_id AS unit, arrival FROM ${table} WHERE ${PLACE} AND withdrawn_at IS NULL`;

const LATEST = `SELECT unit FROM (
    ${recorded('photographs')} UNION ALL ${recorded('remarks')} UNION ALL ${recorded('facts')}
    UNION ALL SELECT unit, arrival FROM corrections WHERE ${PLACE} AND ${CAN_BE_UNDONE}
    UNION ALL SELECT unit, arrival FROM detail_changes WHERE ${PLACE} AND undone_by IS NULL
  ) done ORDER BY arrival DESC LIMIT 1`;

/** Returns the latest unit of the session that was not completely undone: an execution, or a single change by a route. */
export async function latestUnit(
  reader: SqlReader,
  { flowId, sessionId }: SessionAddress,
): Promise<string | undefined> {
  const places = Array.from({ length: 5 }, () => [sessionId, flowId]).flat();
  return (await reader.one<{ unit: string }>(LATEST, places))?.unit;
}
