import { SERVICE_AREAS, type ServiceArea } from '../areas/area-type.js';
import { type AreaGroup, namedGroup } from './area-groups.js';
import type { LabelledValue } from './inspection-report.js';
import type { ReportMeta } from './report-meta.js';

/** One entry of Meters & Keys, before its photographs have numbers. */
export interface ServiceEntry {
  readonly group: AreaGroup;
  readonly absent: boolean;
  readonly keyDetails: readonly LabelledValue[];
}

/**
 * Meters & Keys in its fixed order, each entry only if it has content: photographs, an absence note, key details,
 * comments, facts (contract section 6, rule 3). An area listed in `skippedAreas` that was photographed, or whose reading,
 * keys or alarm was told, in this report or an earlier one of the session, gets no note, and neither do keys whose details are told. Service areas that are none of the
 * five follow in order of arrival.
 */
export function serviceEntries(
  groups: readonly AreaGroup[],
  meta: ReportMeta,
  settledBefore: readonly ServiceArea[] = [],
): ServiceEntry[] {
  const expected = SERVICE_AREAS.flatMap((service) => {
    const group = groups.find((candidate) => candidate.service === service);
    const keyDetails = service === 'keys' ? meta.keyDetails : [];
    const there =
      keyDetails.length > 0 || settledBefore.includes(service) || (group !== undefined && isThere(group));
    const absent = meta.skipped.includes(service) && !there;
    if (!group && !absent && keyDetails.length === 0) return [];
    return [{ group: group ?? emptyService(service), absent, keyDetails }];
  });
  const others = groups
    .filter((group) => group.type === 'service' && !group.service)
    .map((group) => ({ group, absent: false, keyDetails: [] }));
  return [...expected, ...others];
}

const isThere = ({ photographs, facts }: AreaGroup): boolean =>
  photographs.length > 0 || facts.some(({ fact }) => fact.kind !== 'observation');

const emptyService = (service: ServiceArea): AreaGroup => namedGroup(service, 'service');
