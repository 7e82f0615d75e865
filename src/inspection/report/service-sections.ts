import { SERVICE_AREAS, type ServiceArea } from '../areas/area-type.js';
import type { AreaGroup } from './area-groups.js';
import type { LabelledValue } from './inspection-report.js';
import type { ReportMeta } from './report-meta.js';

/** One entry of Meters & Keys, before its photographs have numbers. */
export interface ServiceEntry {
  readonly group: AreaGroup;
  readonly absent: boolean;
  readonly keyDetails: readonly LabelledValue[];
}

/**
 * Returns the service areas with an absence note: those in `skippedAreas` without a photograph in this report or an earlier
 * one of the session (contract section 6, rule 8).
 */
export const absentAreas = (
  groups: readonly AreaGroup[],
  { skipped }: Pick<ReportMeta, 'skipped'>,
  photographedBefore: readonly ServiceArea[] = [],
): ServiceArea[] =>
  skipped.filter(
    (service) =>
      !photographedBefore.includes(service) &&
      !groups.some((group) => group.service === service && group.photographs.length > 0),
  );

/**
 * Returns the entries of Meters & Keys in fixed order (contract section 6, rule 3). Includes only areas with content:
 * photographs, an absence note, key details, comments or facts. Other service areas follow in order of arrival.
 */
export function serviceEntries(
  groups: readonly AreaGroup[],
  meta: ReportMeta,
  photographedBefore: readonly ServiceArea[] = [],
): ServiceEntry[] {
  const absent = new Set(absentAreas(groups, meta, photographedBefore));
  const entryOf = (group: AreaGroup): ServiceEntry => ({
    group,
    absent: group.service !== undefined && absent.has(group.service),
    keyDetails: group.service === 'keys' ? meta.keyDetails : [],
  });
  const services = groups.filter(({ type }) => type === 'service');
  const expected = SERVICE_AREAS.flatMap((wanted) => services.filter(({ service }) => service === wanted));
  return [...expected, ...services.filter(({ service }) => !service)].map(entryOf);
}
