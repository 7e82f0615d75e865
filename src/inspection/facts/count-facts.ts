import type { SqlReader } from '../../database/tx.js';
import type { AreaType, ServiceArea } from '../areas/area-type.js';
import { classifyArea } from '../areas/classify-area.js';
import type { SessionAddress } from '../session.js';

/** The facts of an area, counted. */
export interface FactCount {
  area_key: string;
  area_name: string;
  area_type: AreaType;
  count: number;
  /** Its lowest number of arrival. */
  first: number;
  /** Number of facts that make a service area no longer outstanding. */
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

/** The service areas that readings, keys and alarms take off the outstanding ones. */
export const settledServices = (rows: readonly Pick<FactCount, 'area_name' | 'area_type'>[]): ServiceArea[] =>
  rows.flatMap((row) => classifyArea(row.area_name, row.area_type).service ?? []);
