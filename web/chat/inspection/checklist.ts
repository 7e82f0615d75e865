import type { PreviousItem } from '../../../src/api/previous-items.js';
import type { ThingView } from '../../../src/api/things.js';
import { SERVICE_AREAS, type ServiceArea } from '../../../src/inspection/areas/area-type.js';
import { areaNamed, classifyArea } from '../../../src/inspection/areas/classify-area.js';
import { type Json, listIn, objectIn, textIn } from '../../common/answer.js';

export interface AreaShown {
  area: string;
  /** Equal for all spellings of one area. */
  key: string;
  isCurrent: boolean;
  /** Oldest first. */
  photographs: readonly ThingView[];
  /** Its remarks, observations, readings, keys and alarms, newest first. */
  things: readonly ThingView[];
  /** Things that were deleted here and can still be restored. */
  deleted: readonly ThingView[];
  /** At a check-out: the items that the check-in describes here. */
  previous: readonly PreviousItem[];
}

export interface ServiceShown {
  slug: ServiceArea;
  status: 'outstanding' | 'done' | 'absent';
  /** Marked as not at the property. */
  isSkipped: boolean;
  /** A report has taken the mark. */
  isClaimed: boolean;
  contents: readonly ThingView[];
}

/** The progress of the inspection. */
export interface Checklist {
  areas: readonly AreaShown[];
  photographs: number;
  /** The service areas that the report requires, and those marked as not at the property. */
  services: readonly ServiceShown[];
  /** The report of the check-in that the details name is gone. */
  lacksCheckIn: boolean;
}

/** The report types that require the service areas (contract section 6). */
const REQUIRING = ['checkin', 'checkout'];

interface Recorded {
  /** The answer of the session's areas. */
  summary: Json;
  details: Json;
  things: readonly ThingView[];
  /** Things that were deleted in this chat and can still be restored. */
  deleted?: readonly ThingView[];
  /** The items of the check-in; undefined if its report is gone. */
  previous?: readonly PreviousItem[] | undefined;
}

export function checklistOf({ summary, details, things, deleted = [], previous }: Recorded): Checklist {
  const areas = areasOf(summary, things, { deleted, previous: previous ?? [] });
  const requires = REQUIRING.includes(textIn(details['reportType']));
  const outstanding = requires ? listIn(summary['outstandingAreas']).map(textIn) : [];
  const skipped = itemsOf(details).flatMap((item) => classifyArea(item).service ?? []);
  const services = SERVICE_AREAS.map((slug): ServiceShown => {
    const here = things.filter(({ area, areaType }) => area && classifyArea(area, areaType).service === slug);
    const contents = here.filter(({ kind }) => kind !== 'absence');
    const isSkipped = skipped.includes(slug);
    const isAbsent = isSkipped && contents.length === 0;
    return {
      ...{ slug, isSkipped, contents },
      isClaimed: here.some(({ kind, claimed }) => kind === 'absence' && claimed),
      status: outstanding.includes(slug) ? 'outstanding' : isAbsent ? 'absent' : 'done',
    };
  });
  return {
    areas,
    photographs: areas.reduce((sum, { photographs }) => sum + photographs.length, 0),
    services: services.filter(({ isSkipped }) => requires || isSkipped),
    lacksCheckIn: details['previousReport'] !== undefined && previous === undefined,
  };
}

/** Groups things by area: the areas in order of their first arrival, then those of the check-in alone in its order. */
function areasOf(
  summary: Json,
  things: readonly ThingView[],
  { deleted, previous }: { deleted: readonly ThingView[]; previous: readonly PreviousItem[] },
): AreaShown[] {
  const current = textIn(summary['currentArea']);
  const currentKey = current === '' ? '' : areaNamed(current).key;
  const names = new Map<string, string>();
  const group = (listed: readonly ThingView[]) => {
    const groups = new Map<string, ThingView[]>();
    for (const thing of listed) {
      if (thing.area === null || thing.kind === 'absence') continue;
      const { key } = areaNamed(thing.area, thing.areaType);
      const known = groups.get(key);
      if (known) known.push(thing);
      else groups.set(key, [thing]);
      if (!names.has(key)) names.set(key, thing.area);
    }
    return groups;
  };
  for (const area of listIn(summary['areas']).map(objectIn)) {
    const name = textIn(area['area']);
    names.set(areaNamed(name, area['areaType'] as ThingView['areaType']).key, name);
  }
  const [recorded, removed] = [group(things), group(deleted)];
  if (current !== '' && !names.has(currentKey)) names.set(currentKey, current);
  const before = new Map<string, PreviousItem[]>();
  for (const item of previous) {
    const { key } = areaNamed(item.area, item.areaType);
    before.set(key, [...(before.get(key) ?? []), item]);
    if (!names.has(key)) names.set(key, item.area);
  }
  return [...names].map(([key, area]) => {
    const here = recorded.get(key) ?? [];
    return {
      ...{ area, key, isCurrent: key === currentKey },
      photographs: here.filter(({ kind }) => kind === 'photograph').reverse(),
      things: here.filter(({ kind }) => kind !== 'photograph'),
      deleted: removed.get(key) ?? [],
      previous: before.get(key) ?? [],
    };
  });
}

/** Returns the change of the record that marks a service area as not at the property, or undoes that. Other items stay. */
export function skipChange(
  details: Json,
  { slug, isSkipped }: Pick<ServiceShown, 'slug' | 'isSkipped'>,
): Json {
  const items = itemsOf(details).filter((item) => classifyArea(item).service !== slug);
  if (!isSkipped) items.push(slug);
  return { skippedAreas: items.length === 0 ? null : items.join('|') };
}

const itemsOf = (details: Json): string[] =>
  textIn(details['skippedAreas'])
    .split('|')
    .map((item) => item.trim())
    .filter((item) => item !== '');
