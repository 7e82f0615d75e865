import { SERVICE_AREAS, type ServiceArea } from '../areas/area-type.js';

/** The evidence of a session for its service areas; each iterable lists the areas that it satisfies. */
export interface ServiceEvidence {
  readonly photographed: Iterable<ServiceArea>;
  readonly remarked?: Iterable<ServiceArea>;
  /** By a reading, keys or an alarm. */
  readonly settled?: Iterable<ServiceArea>;
  readonly skipped?: Iterable<ServiceArea>;
  /** True if `meta.keyDetails` is not empty, which satisfies Keys. */
  readonly keyDetails?: boolean;
}

/** The service areas without a photograph, a remark, a reading, keys, an alarm, key details or a skip, in the order of `skippedAreas`. */
export function missingAreas(evidence: ServiceEvidence): ServiceArea[] {
  const satisfied = new Set<ServiceArea>([
    ...evidence.photographed,
    ...(evidence.remarked ?? []),
    ...(evidence.settled ?? []),
    ...(evidence.skipped ?? []),
    ...(evidence.keyDetails ? (['keys'] as const) : []),
  ]);
  return SERVICE_AREAS.filter((service) => !satisfied.has(service));
}

/** Returns `missingAreas` for a check-in or check-out report; other reports require none (description section 2.5). */
export function outstandingAreas(reportType: string | undefined, evidence: ServiceEvidence): ServiceArea[] {
  return reportType === 'checkin' || reportType === 'checkout' ? missingAreas(evidence) : [];
}
