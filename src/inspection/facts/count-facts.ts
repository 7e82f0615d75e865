import type { SqlReader } from '../../database/tx.js';
import type { AreaType, ServiceArea } from '../areas/area-type.js';
import { classifyArea } from '../areas/classify-area.js';
import type { SessionAddress } from '../session.js';

/** The counts of facts in one area. */
export interface FactCount {
  area_key: string;
  area_name: string;
  area_type: AreaType;
  count: number;
  /** Its lowest number of arrival. */
  first: number;
  /** Number of facts that settle a service area. */
  settling: number;
}

/** Counts the facts of each area of a session. */
export function countFacts(reader: SqlReader, { flowId, sessionId }: SessionAddress): Promise<FactCount[]> {
  return reader.all<FactCount>(
    `SELECT area_key, area_name, area_type, COUNT(*) AS count, MIN(arrival) AS first,
       SUM(CASE WHEN kind = 'observation' THEN 0 ELSE 1 END) AS settling
     FROM facts WHERE session_id = ? AND flow_id = ? AND withdrawn_at IS NULL
     GROUP BY area_key, area_name, area_type`,
    [sessionId, flowId],
  );
}

/** Returns the service areas settled by readings, keys and alarms. */
export const settledServices = (rows: readonly Pick<FactCount, 'area_name' | 'area_type'>[]): ServiceArea[] =>
  rows.flatMap((row) => classifyArea(row.area_name, row.area_type).service ?? []);
