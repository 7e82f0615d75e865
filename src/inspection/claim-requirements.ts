import type { Tx } from '../database/tx.js';
import type { AreaType, ServiceArea } from './areas/area-type.js';
import { classifyArea } from './areas/classify-area.js';
import type { SessionPlace } from './claim-contents.js';
import { outstandingAreas } from './report/outstanding-areas.js';
import { readMeta } from './report/report-meta.js';

/** What the render's request says about completeness. */
export interface Requirements {
  reportType: string | undefined;
  skipped: readonly ServiceArea[];
  /** Service areas that `meta.areaComments` speaks of. */
  remarked: readonly ServiceArea[];
  keyDetails: boolean;
  requireComplete: boolean;
  /** Waives every outstanding area at once (description 2.5). */
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
    remarked: commented.flatMap(([area]) => classifyArea(area).service ?? []),
    keyDetails: meta.keyDetails.length > 0,
    ...options,
  };
}

/**
 * The service areas that the session still owes this report: those without a photograph of this or an earlier claim, a
 * remark, key details or a skip (contract section 5).
 */
export async function outstandingOf(
  tx: Tx,
  place: SessionPlace,
  requirements: Requirements,
): Promise<ServiceArea[]> {
  if (requirements.forceFinish) return [];
  const photographed = await tx.all<{ service: ServiceArea }>(
    `SELECT DISTINCT service FROM photographs WHERE ${place.sql} AND service IS NOT NULL`,
    place.values,
  );
  const remarked = await tx.all<{ area_name: string; area_type: AreaType | null }>(
    `SELECT DISTINCT area_name, area_type FROM remarks WHERE ${place.sql}`,
    place.values,
  );
  return outstandingAreas(requirements.reportType, {
    photographed: photographed.map((row) => row.service),
    remarked: [
      ...requirements.remarked,
      ...remarked.flatMap((row) => classifyArea(row.area_name, row.area_type ?? undefined).service ?? []),
    ],
    skipped: requirements.skipped,
    keyDetails: requirements.keyDetails,
  });
}
