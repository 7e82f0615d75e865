import type { AreaType, ServiceArea } from '../areas/area-type.js';
import { SERVICE_AREA_TITLES } from '../areas/area-type.js';
import { bestHeading } from '../areas/area-heading.js';
import { classifyArea } from '../areas/classify-area.js';
import { normalizeArea } from '../areas/normalize-area.js';
import type { PhotographInput } from './report-input.js';

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
  readonly comments: string[];
}

/** An area as a name gives it, for an area that has no photograph. */
export function namedGroup(name: string, override?: AreaType): AreaGroup {
  const { type, service } = classifyArea(name, override);
  return emptyGroup(normalizeArea(name), type, service, name);
}

/** The groups of areas in order of first arrival; in each group the photographs by instant, then arrival. */
export function groupByArea(photographs: readonly PhotographInput[]): AreaGroup[] {
  const groups = new Map<string, AreaGroup>();
  for (const photograph of [...photographs].sort((one, other) => one.arrival - other.arrival)) {
    const { areaKey, areaType, service, areaName } = photograph;
    const identity = service ?? `${areaType}:${areaKey}`;
    let group = groups.get(identity);
    if (!group) groups.set(identity, (group = emptyGroup(areaKey, areaType, service, areaName)));
    else group.spellings.push(areaName);
    group.photographs.push(photograph);
  }
  for (const group of groups.values()) group.photographs.sort(byInstantThenArrival);
  return [...groups.values()];
}

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
  return { key, type, service, spellings: [spelling], photographs: [], comments: [] };
}

const byInstantThenArrival = (one: PhotographInput, other: PhotographInput): number =>
  one.capturedAt - other.capturedAt || one.arrival - other.arrival;
