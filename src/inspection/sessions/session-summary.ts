import type { SessionSummary } from '../../api/inspections.js';
import type { SqlReader } from '../../database/tx.js';
import { bestSpelling } from '../areas/area-heading.js';
import type { AreaType, ServiceArea } from '../areas/area-type.js';
import { classifyArea } from '../areas/classify-area.js';
import { readSkippedAreas } from '../areas/skipped-areas.js';
import { readDetails } from '../details/details-rows.js';
import { missingAreas } from '../report/outstanding-areas.js';
import { readMeta } from '../report/report-meta.js';
import type { SessionAddress } from '../session.js';

/** The summary of a session, with a map from area keys to the names in the answer. */
export interface KeyedSummary {
  summary: SessionSummary;
  /** The best spelling of each area, by its key. */
  names: ReadonlyMap<string, string>;
  remarks: number;
  /** Corrections that were made in the session. */
  corrected: number;
}

interface AreaCount {
  area_key: string;
  area_name: string;
  area_type: AreaType;
  count: number;
  pending: number;
  first: number;
}

const count = (table: string): string =>
  `SELECT area_key, area_name, area_type, COUNT(*) AS count, MIN(arrival) AS first,
    SUM(CASE WHEN claim_id IS NULL THEN 1 ELSE 0 END) AS pending
   FROM ${table} WHERE session_id = ? AND flow_id = ? AND withdrawn_at IS NULL GROUP BY area_key, area_name, area_type`;

interface Tally {
  spellings: string[];
  areaType: AreaType;
  first: number;
  photographs: number;
  pending: number;
  remarks: number;
  facts: number;
}

/** Limit on the areas in an answer: the latest ones. */
const MOST_LISTED = 200;

/** Returns the `session` object of a capture answer (contract section 5), areas in order of first arrival. */
export async function summarise(
  reader: SqlReader,
  flowId: string,
  sessionId: string,
  skippedAreas = '',
): Promise<KeyedSummary> {
  const photographs = await reader.all<AreaCount>(count('photographs'), [sessionId, flowId]);
  const remarks = await reader.all<AreaCount>(count('remarks'), [sessionId, flowId]);
  const facts = await countFacts(reader, { flowId, sessionId });
  const { meta } = readMeta((await readDetails(reader, { flowId, sessionId })).details);
  const described = servicesOf(facts);
  const commented = meta.areaComments
    .flatMap(([area, texts]) => (texts.length > 0 ? (classifyArea(area).service ?? []) : []))
    .filter((service) => described.includes(service));
  const session = await reader.one<{ current_area: string | null; corrections: number }>(
    'SELECT current_area, corrections FROM inspection_sessions WHERE flow_id = ? AND session_id = ?',
    [flowId, sessionId],
  );
  const tallies = new Map<string, Tally>();
  for (const row of photographs) tally(tallies, row, 'photographs');
  for (const row of remarks) tally(tallies, row, 'remarks');
  for (const row of facts) tally(tallies, row, 'facts');
  const sorted = [...tallies].sort(([, one], [, other]) => one.first - other.first);
  const names = new Map(sorted.map(([key, { spellings }]) => [key, bestSpelling(spellings) ?? '']));
  const summary: SessionSummary = {
    pending: sorted.reduce((sum, [, each]) => sum + each.pending, 0),
    currentArea: session?.current_area ?? null,
    areas: sorted.slice(-MOST_LISTED).map(([key, each]) => ({
      area: names.get(key)!,
      areaType: each.areaType,
      photographs: each.photographs,
      remarks: each.remarks,
      ...(each.facts === 0 ? {} : { facts: each.facts }),
      pending: each.pending,
    })),
    outstandingAreas: missingAreas({
      photographed: servicesOf(photographs),
      remarked: [...servicesOf(remarks), ...commented],
      settled: settledServices(facts.filter(({ settling }) => Number(settling) > 0)),
      skipped: [...readSkippedAreas(skippedAreas).skipped, ...meta.skipped],
      keyDetails: meta.keyDetails.length > 0,
    }),
  };
  const written = sorted.reduce((sum, [, each]) => sum + each.remarks, 0);
  return { summary, names, remarks: written, corrected: Number(session?.corrections ?? 0) };
}

/** Sums arrive as text from PostgreSQL. */
function tally(
  tallies: Map<string, Tally>,
  row: AreaCount | FactCount,
  kind: 'photographs' | 'remarks' | 'facts',
): void {
  const known = tallies.get(row.area_key) ?? {
    spellings: [],
    areaType: row.area_type,
    first: Number(row.first),
    photographs: 0,
    pending: 0,
    remarks: 0,
    facts: 0,
  };
  known.first = Math.min(known.first, Number(row.first));
  known.spellings.push(row.area_name);
  known[kind] += Number(row.count);
  if (kind === 'photographs' && 'pending' in row) known.pending += Number(row.pending);
  tallies.set(row.area_key, known);
}

const servicesOf = (rows: readonly Pick<AreaCount, 'area_name' | 'area_type'>[]): ServiceArea[] =>
  rows.flatMap((row) => classifyArea(row.area_name, row.area_type).service ?? []);

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
