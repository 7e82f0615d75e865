import type { Warning } from '../../common/warnings.js';
import { SERVICE_AREAS, type ServiceArea } from '../areas/area-type.js';
import { type AreaGroup, headingOf } from './area-groups.js';
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

const RECORDED = {
  reading: 'a recorded reading',
  keys: 'recorded keys',
  alarm: 'a recorded alarm',
  observation: undefined,
} as const;

/** Warns of each area with an absence note beside a reading, keys or an alarm; an observation may explain the note. */
export const describedAbsences = (entries: readonly ServiceEntry[]): Warning[] =>
  entries.flatMap(({ group, absent }) => {
    const described = group.facts.flatMap(({ fact }) => RECORDED[fact.kind] ?? []);
    if (!absent || described[0] === undefined) return [];
    return [
      {
        code: 'skipped_but_described',
        message: `meta.skippedAreas names the area ${headingOf(group)}, which has ${described[0]}: both are printed. Leave out or withdraw whichever is wrong.`,
        path: 'meta.skippedAreas',
      },
    ];
  });
