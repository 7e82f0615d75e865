import type { SqlValue, Tx } from '../../database/tx.js';
import { type AreaType, SERVICE_AREAS, type ServiceArea } from '../areas/area-type.js';
import { classifyArea } from '../areas/classify-area.js';
import { outstandingAreas } from '../report/outstanding-areas.js';
import { readMeta } from '../report/report-meta.js';
import { settledServices } from '../sessions/session-summary.js';

/** A condition, with its values, that selects the rows of a session in certain flows. */
export interface SessionRows {
  sql: string;
  values: SqlValue[];
}

/** The members of a render's request that decide on completeness. */
export interface Requirements {
  reportType: string | undefined;
  skipped: readonly ServiceArea[];
  /** Service areas with remarks in `meta.areaComments`. */
  commented: readonly ServiceArea[];
  /** Service areas settled by records outside these rows. */
  settled?: readonly ServiceArea[];
  keyDetails: boolean;
  requireComplete: boolean;
  /** Waives every outstanding area at once (description section 2.5). */
  forceFinish: boolean;
}

export function requirementsOf(
  source: unknown,
  options: { requireComplete: boolean; forceFinish: boolean },
): Requirements {
  const { meta } = readMeta(source);
  const commented = meta.areaComments.filter(([, remarks]) => remarks.length > 0);
  return {
    reportType: meta.reportType,
    skipped: meta.skipped,
    commented: commented.flatMap(([area]) => classifyArea(area).service ?? []),
    keyDetails: meta.keyDetails.length > 0,
    ...options,
  };
}

/**
 * Returns the outstanding service areas of the session: those without a photograph in this or an earlier claim, a remark,
 * key details or a skip (contract section 5). A remark in `meta.areaComments` counts only if the report has its area.
 */
export async function outstandingOf(
  tx: Tx,
  session: SessionRows,
  requirements: Requirements,
): Promise<ServiceArea[]> {
  if (requirements.forceFinish) return [];
  const named = async (table: 'remarks' | 'facts'): Promise<ServiceArea[]> => {
    const rows = await tx.all<{ area_name: string; area_type: AreaType | null }>(
      `SELECT DISTINCT area_name, area_type FROM ${table} WHERE ${session.sql} AND withdrawn_at IS NULL`,
      session.values,
    );
    return rows.flatMap((row) => classifyArea(row.area_name, row.area_type ?? undefined).service ?? []);
  };
  const { commented, settled = [] } = requirements;
  const described = commented.length > 0 ? await named('facts') : [];
  return outstandingAreas(requirements.reportType, {
    photographed: [],
    settled: [...settled, ...(await settledIn(tx, session))],
    remarked: [...(await named('remarks')), ...commented.filter((service) => described.includes(service))],
    skipped: requirements.skipped,
    keyDetails: requirements.keyDetails,
  });
}

/** Returns the service areas with a photograph, reading, keys or alarm in these rows that was not withdrawn. */
async function settledIn(tx: Tx, session: SessionRows): Promise<ServiceArea[]> {
  const facts = await tx.all<{ area_name: string; area_type: AreaType }>(
    `SELECT DISTINCT area_name, area_type FROM facts WHERE ${session.sql} AND kind <> 'observation' AND withdrawn_at IS NULL`,
    session.values,
  );
  return [...(await photographedIn(tx, session)), ...settledServices(facts)];
}

/** Returns the service areas with a photograph in these rows that was not withdrawn, in fixed order. */
export async function photographedIn(tx: Tx, session: SessionRows): Promise<ServiceArea[]> {
  const rows = await tx.all<{ service: ServiceArea }>(
    `SELECT DISTINCT service FROM photographs WHERE ${session.sql} AND service IS NOT NULL AND withdrawn_at IS NULL`,
    session.values,
  );
  const photographed = new Set(rows.map(({ service }) => service));
  return SERVICE_AREAS.filter((service) => photographed.has(service));
}
