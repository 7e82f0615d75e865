import { bestHeading } from '../areas/area-heading.js';
import type { AreaType, ServiceArea } from '../areas/area-type.js';
import { SERVICE_AREA_TITLES } from '../areas/area-type.js';
import { classifyArea } from '../areas/classify-area.js';
import { normalizeArea } from '../areas/normalize-area.js';
import { OwnNames, ownNameKey } from '../areas/own-name.js';
import type { FactInput, PhotographInput } from './report-input.js';

/** The one heading over everything outside; photographs may be filed under it as well. */
export const EXTERNAL_AREAS = 'External Areas';
export const POOLED_KEY = normalizeArea(EXTERNAL_AREAS);

/** One area of the report while it is being put together. */
export interface AreaGroup {
  readonly key: string;
  readonly type: AreaType;
  readonly service: ServiceArea | undefined;
  readonly spellings: string[];
  readonly photographs: PhotographInput[];
  readonly comments: FiledRemark[];
  readonly facts: FiledFact[];
  /** Of a service area: the names beneath its title. */
  readonly names: OwnNames;
}

/** A remark, and the key of the name of its own under which it was filed. */
export interface FiledRemark {
  readonly text: string;
  readonly nameKey: string | undefined;
}

/** An area as a name gives it, for an area that has no photograph. */
export function namedGroup(name: string, override?: AreaType): AreaGroup {
  const { type, service } = classifyArea(name, override);
  return emptyGroup(normalizeArea(name), type, service, name);
}

/**
 * The groups of areas in order of first arrival; in each group the photographs by instant, then arrival, those of a
 * service area name by name (contract section 6, rule 10).
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

/** The key of the name of its own under which something of the group is filed; the name joins the group's. */
export function fileUnder(group: AreaGroup, name: string): string | undefined {
  const key = nameKeyIn(group, name);
  if (key !== undefined) group.names.add(key, name);
  return key;
}

/** That name as it is printed; undefined for what is filed under the area's title. */
export function ownHeading(group: AreaGroup, name: string): string | undefined {
  const key = nameKeyIn(group, name);
  return key === undefined ? undefined : group.names.headingOf(key);
}

const nameKeyIn = ({ service }: AreaGroup, name: string): string | undefined =>
  service && ownNameKey(name, service);

/** A service area's own title, else the best spelling that was sent (contract section 6, rule 6). */
export function headingOf(group: AreaGroup): string {
  if (group.service) return SERVICE_AREA_TITLES[group.service];
  return isPooled(group) ? EXTERNAL_AREAS : bestHeading(group.spellings);
}

/** Photographs filed under External Areas itself: first, for none of its sub-headings is theirs. */
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
