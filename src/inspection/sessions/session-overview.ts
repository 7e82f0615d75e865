import type { SessionItem } from '../../api/inspections.js';
import { isoTime } from '../../common/iso-time.js';
import type { SqlReader } from '../../database/tx.js';
import { bestSpelling } from '../areas/area-heading.js';
import { reportFilename } from '../report/report-filename.js';
import { readMeta } from '../report/report-meta.js';

/** The key of a session; two flows may have the same session id. */
interface SessionKey {
  flow_id: string;
  session_id: string;
}

interface AreaRow extends SessionKey {
  area_key: string;
  area_name: string;
  first: number;
}

interface ClaimRow {
  session_id: string;
  flow_ids: string;
  report_id: string;
  meta: string;
  created_at: number;
}

/** The newest inspection report of a session; its file name derives from the same meta. */
type LastReport = NonNullable<SessionItem['lastReport']>;

/** Returns the areas of each session, in list order: best spellings in order of first arrival. */
export async function areasOf(reader: SqlReader, sessions: readonly SessionKey[]): Promise<string[][]> {
  if (sessions.length === 0) return [];
  const ids = idsOf(sessions);
  const of = (table: string) =>
    `SELECT flow_id, session_id, area_key, area_name, MIN(arrival) AS first FROM ${table}
     WHERE session_id IN (${marks(ids)}) AND withdrawn_at IS NULL GROUP BY flow_id, session_id, area_key, area_name`;
  const rows = await reader.all<AreaRow>(
    `${of('photographs')} UNION ALL ${of('remarks')} UNION ALL ${of('facts')}`,
    [...[...ids, ...ids, ...ids]],
  );
  const spellings = new Map<string, Map<string, string[]>>();
  for (const row of rows.sort((one, other) => Number(one.first) - Number(other.first))) {
    const areas = spellings.get(nameOf(row)) ?? new Map<string, string[]>();
    areas.set(row.area_key, [...(areas.get(row.area_key) ?? []), row.area_name]);
    spellings.set(nameOf(row), areas);
  }
  return sessions.map((session) =>
    [...(spellings.get(nameOf(session))?.values() ?? [])].map((all) => bestSpelling(all) ?? ''),
  );
}

/** Returns the newest inspection report of each session, in list order, without reading the meta of older ones. */
export async function lastReportsOf(
  reader: SqlReader,
  sessions: readonly SessionKey[],
): Promise<(LastReport | undefined)[]> {
  if (sessions.length === 0) return [];
  const ids = idsOf(sessions);
  const theirs = `session_id IN (${marks(ids)}) AND state = 'settled' AND source IS NULL`;
  const rows = await reader.all<ClaimRow>(
    `SELECT session_id, flow_ids, report_id, meta, created_at FROM claims
     WHERE ${theirs} AND (session_id, flow_ids, created_at) IN (
       SELECT session_id, flow_ids, MAX(created_at) FROM claims WHERE ${theirs} GROUP BY session_id, flow_ids)
     ORDER BY created_at`,
    [...ids, ...ids],
  );
  const newest = new Map(
    rows.flatMap((row) =>
      (JSON.parse(row.flow_ids) as string[]).map((flow_id) => [
        nameOf({ flow_id, session_id: row.session_id }),
        row,
      ]),
    ),
  );
  return sessions.map((session) => {
    const row = newest.get(nameOf(session));
    return row && lastReport(row);
  });
}

function lastReport({ report_id, meta, created_at }: ClaimRow): LastReport {
  const drawnAt = Number(created_at);
  const { propertyNo, postcode } = readMeta(JSON.parse(meta)).meta;
  return {
    id: report_id,
    at: isoTime(drawnAt),
    filename: reportFilename({ propertyNo, postcode }, drawnAt),
  };
}

const idsOf = (sessions: readonly SessionKey[]): string[] => [
  ...new Set(sessions.map(({ session_id }) => session_id)),
];
const marks = (values: readonly unknown[]): string => values.map(() => '?').join(', ');
const nameOf = ({ flow_id, session_id }: SessionKey): string => JSON.stringify([flow_id, session_id]);
