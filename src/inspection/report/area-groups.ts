import { bestHeading } from '../areas/area-heading.js';
import { type AreaType, SERVICE_AREA_TITLES, type ServiceArea } from '../areas/area-type.js';
import { classifyArea } from '../areas/classify-area.js';
import { normalizeArea } from '../areas/normalize-area.js';
import { OwnNames, ownNameKey } from '../areas/own-name.js';
import type { FactInput, PhotographInput } from './report-input.js';

/** The heading of all external areas; photographs may also be filed under it directly. */
export const EXTERNAL_AREAS = 'External Areas';
export const POOLED_KEY = normalizeArea(EXTERNAL_AREAS);

/** One area of a report under construction. */
export interface AreaGroup {
  readonly key: string;
  readonly type: AreaType;
  readonly service: ServiceArea | undefined;
  readonly spellings: string[];
  readonly photographs: PhotographInput[];
  readonly comments: FiledRemark[];
  readonly facts: FiledFact[];
  /** The specific names within a service area. */
  readonly names: OwnNames;
}

/** A remark, and the key of the specific name under which it was filed. */
export interface FiledRemark {
  readonly text: string;
  readonly nameKey: string | undefined;
}

/** Returns an empty group for the area with this name. */
export function namedGroup(name: string, override?: AreaType): AreaGroup {
  const { type, service } = classifyArea(name, override);
  return emptyGroup(normalizeArea(name), type, service, name);
}

/**
 * Groups photographs by area in order of first arrival (contract section 6, rule 10). Within a group they are ordered by
 * instant, then arrival; in a service area first by specific name.
 */
export function groupByArea(photographs: readonly PhotographInput[]): AreaGroup[] {
  const groups = new Map<string, AreaGroup>();
  for (const photograph of [...photographs].sort((one, other) => one.arrival - other.arrival)) {
    const { areaKey, areaType, service, areaName } = photograph;
    const identity = service ?? `${areaType}:${areaKey}`;
    let group = groups.get(identity);
    if (!group) groups.set(identity, (group = emptyGroup(areaKey, areaType, service, areaName)));
    else group.spellings.push(areaName);
    group.photographs.push(photograph);
    fileUnder(group, areaName);
  }
  for (const group of groups.values()) {
    const placeOf = ({ areaName }: PhotographInput) => group.names.placeOf(nameKeyIn(group, areaName));
    group.photographs.sort((one, other) => placeOf(one) - placeOf(other) || byInstantThenArrival(one, other));
  }
  return [...groups.values()];
}

export interface FiledFact {
  readonly fact: FactInput;
  readonly nameKey: string | undefined;
}

/** Adds the specific name of a record to the group and returns its key; undefined without one. */
export function fileUnder(group: AreaGroup, name: string): string | undefined {
  const key = nameKeyIn(group, name);
  if (key !== undefined) group.names.add(key, name);
  return key;
}

/** Returns the printed form of a specific name; undefined for a record under the area's title. */
export function ownHeading(group: AreaGroup, name: string): string | undefined {
  const key = nameKeyIn(group, name);
  return key === undefined ? undefined : group.names.headingOf(key);
}

const nameKeyIn = ({ service }: AreaGroup, name: string): string | undefined =>
  service && ownNameKey(name, service);

/** Returns the title of a service area, else the best spelling (contract section 6, rule 6). */
export function headingOf(group: AreaGroup): string {
  if (group.service) return SERVICE_AREA_TITLES[group.service];
  return isPooled(group) ? EXTERNAL_AREAS : bestHeading(group.spellings);
}

/** Returns true for the group filed under External Areas itself, which has no sub-heading and comes first. */
export const isPooled = ({ type, key }: AreaGroup): boolean => type === 'external' && key === POOLED_KEY;

function emptyGroup(
  key: string,
  type: AreaType,
  service: ServiceArea | undefined,
  spelling: string,
): AreaGroup {
  const names = new OwnNames();
  return { key, type, service, spellings: [spelling], photographs: [], comments: [], facts: [], names };
}

const byInstantThenArrival = (one: PhotographInput, other: PhotographInput): number =>
  one.capturedAt - other.capturedAt || one.arrival - other.arrival;
