import { isoTime } from '../../common/clock.js';
import type { SqlReader } from '../../database/tx.js';
import type { AreaType, ServiceArea } from '../areas/area-type.js';
import { classifyArea } from '../areas/classify-area.js';
import { type CorrectionView, correctionsOf } from '../corrections/corrected-views.js';
import type { RecordedFact } from './fact.js';
import { type FactRow, recordedFact } from './record-facts.js';

/** A recorded fact as a session shows it. */
export interface FactView extends RecordedFact {
  recordedAt: string;
  /** When it was withdrawn; null unless it is. */
  withdrawnAt: string | null;
  /** No report has taken it, and it was not withdrawn. */
  pending: boolean;
  /** The report that took it, or takes it at the moment. */
  reportId: string | null;
  /** The sayings anew about it, oldest first. */
  corrections: CorrectionView[];
}

/** The facts of an area, counted. */
export interface FactCount {
  area_key: string;
  area_name: string;
  area_type: AreaType;
  count: number;
  /** Its lowest number of arrival. */
  first: number;
  /** How many of them take a service area off the outstanding ones. */
  settling: number;
}

export interface SessionFactRow extends FactRow {
  area_key: string;
  recorded_at: number;
  withdrawn_at: number | null;
  claim_id: string | null;
  report_id: string | null;
}

/** The facts of these rows; `areaOf` gives the name under which the session shows an area's key. */
export async function factViews(
  reader: SqlReader,
  rows: readonly SessionFactRow[],
  areaOf: (row: { area_key: string; area_name: string }) => string,
): Promise<FactView[]> {
  const told = await correctionsOf(
    reader,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    ...recordedFact(row),
    area: areaOf(row),
    recordedAt: isoTime(row.recorded_at),
    withdrawnAt: row.withdrawn_at === null ? null : isoTime(row.withdrawn_at),
    pending: row.claim_id === null && row.withdrawn_at === null,
    reportId: row.report_id,
    corrections: told.get(row.id) ?? [],
  }));
}

/** How many facts each area of a session has. */
export function countFacts(
  reader: SqlReader,
  { flowId, sessionId }: { flowId: string; sessionId: string },
): Promise<FactCount[]> {
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
