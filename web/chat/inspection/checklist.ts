import { type Json, listIn, objectIn, textIn } from '../../common/answer.js';

export interface AreaShown {
  area: string;
  photographs: number;
  remarks: number;
  /** Readings, keys, alarms and observations. */
  facts: number;
  isCurrent: boolean;
}

export interface ServiceShown {
  slug: string;
  isSkipped: boolean;
}

/** How far the inspection is. */
export interface Checklist {
  areas: AreaShown[];
  photographs: number;
  /** The service areas that are outstanding or were skipped; those of a type of report that requires none are left out. */
  services: ServiceShown[];
}

const SERVICES = ['electricity-meter', 'gas-meter', 'water-meter', 'keys', 'detectors'];
/** These alone require them (contract section 6). */
const REQUIRING = ['checkin', 'checkout'];

export function checklistOf(summary: Json, details: Json): Checklist {
  const current = textIn(summary['currentArea']);
  const counted = listIn(summary['areas'])
    .map(objectIn)
    .map((area) => areaOf(area, current));
  const areas =
    current === '' || counted.some(({ isCurrent }) => isCurrent)
      ? counted
      : [...counted, { area: current, photographs: 0, remarks: 0, facts: 0, isCurrent: true }];
  const outstanding = REQUIRING.includes(textIn(details['reportType']))
    ? listIn(summary['outstandingAreas']).map(textIn)
    : [];
  const skipped = skippedIn(details);
  return {
    areas,
    photographs: areas.reduce((sum, { photographs }) => sum + photographs, 0),
    services: SERVICES.filter((slug) => outstanding.includes(slug) || skipped.includes(slug)).map((slug) => ({
      slug,
      isSkipped: skipped.includes(slug),
    })),
  };
}

/** The change of the record that skips a service area, or takes that back; the items that are no such areas stay. */
export function skipChange(details: Json, { slug, isSkipped }: ServiceShown): Json {
  const items = itemsOf(details).filter((item) => slugOf(item) !== slug);
  if (!isSkipped) items.push(slug);
  return { skippedAreas: items.length === 0 ? null : items.join('|') };
}

const skippedIn = (details: Json): string[] => itemsOf(details).map(slugOf);

const itemsOf = (details: Json): string[] =>
  textIn(details['skippedAreas'])
    .split('|')
    .map((item) => item.trim())
    .filter((item) => item !== '');

const slugOf = (item: string): string =>
  item
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_/-]+/g, '-');

/** Names of areas are the same whatever their case. */
function areaOf(area: Json, current: string): AreaShown {
  const name = textIn(area['area']);
  return {
    area: name,
    photographs: Number(area['photographs'] ?? 0),
    remarks: Number(area['remarks'] ?? 0),
    facts: Number(area['facts'] ?? 0),
    isCurrent: current !== '' && slugOf(name) === slugOf(current),
  };
}
