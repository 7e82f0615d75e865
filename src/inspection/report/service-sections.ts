import { SERVICE_AREAS, type ServiceArea } from '../areas/area-type.js';
import { type AreaGroup, namedGroup } from './area-groups.js';
import type { LabelledValue } from './inspection-report.js';
import type { ReportMeta } from './report-meta.js';

/** What one entry of Meters & Keys says, before its photographs have numbers. */
export interface ServiceEntry {
  readonly group: AreaGroup;
  readonly absent: boolean;
  readonly keyDetails: readonly LabelledValue[];
}

/**
 * Meters & Keys in its fixed order, each entry only if it has something to say: photographs, an absence note, key
 * details, comments (contract section 6, rule 3). An area listed in `skippedAreas` but photographed keeps its
 * photographs and gets no note. Service areas that are none of the five follow in order of arrival.
 */
export function serviceEntries(groups: readonly AreaGroup[], meta: ReportMeta): ServiceEntry[] {
  const expected = SERVICE_AREAS.flatMap((service) => {
    const group = groups.find((candidate) => candidate.service === service);
    const absent = meta.skipped.includes(service) && !group?.photographs.length;
    const keyDetails = service === 'keys' ? meta.keyDetails : [];
    if (!group && !absent && keyDetails.length === 0) return [];
    return [{ group: group ?? emptyService(service), absent, keyDetails }];
  });
  const others = groups
    .filter((group) => group.type === 'service' && !group.service)
    .map((group) => ({ group, absent: false, keyDetails: [] }));
  return [...expected, ...others];
}

const emptyService = (service: ServiceArea): AreaGroup => namedGroup(service, 'service');
