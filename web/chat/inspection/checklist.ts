import { SERVICE_AREAS, type ServiceArea } from '../../../src/inspection/areas/area-type.js';
import { areaNamed, classifyArea } from '../../../src/inspection/areas/classify-area.js';
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
  slug: ServiceArea;
  isSkipped: boolean;
}

/** The progress of the inspection. */
export interface Checklist {
  areas: AreaShown[];
  photographs: number;
  /** The service areas that are outstanding or skipped. Empty for a report type that requires none. */
  services: ServiceShown[];
}

/** The report types that require the service areas (contract section 6). */
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
    services: SERVICE_AREAS.filter((slug) => outstanding.includes(slug) || skipped.includes(slug)).map(
      (slug) => ({ slug, isSkipped: skipped.includes(slug) }),
    ),
  };
}

/** Returns the change of the record that skips a service area or undoes that. Other items stay. */
export function skipChange(details: Json, { slug, isSkipped }: ServiceShown): Json {
  const items = itemsOf(details).filter((item) => classifyArea(item).service !== slug);
  if (!isSkipped) items.push(slug);
  return { skippedAreas: items.length === 0 ? null : items.join('|') };
}

const skippedIn = (details: Json): string[] =>
  itemsOf(details).flatMap((item) => classifyArea(item).service ?? []);

const itemsOf = (details: Json): string[] =>
  textIn(details['skippedAreas'])
    .split('|')
    .map((item) => item.trim())
    .filter((item) => item !== '');

function areaOf(area: Json, current: string): AreaShown {
  const name = textIn(area['area']);
  return {
    area: name,
    photographs: Number(area['photographs'] ?? 0),
    remarks: Number(area['remarks'] ?? 0),
    facts: Number(area['facts'] ?? 0),
    isCurrent: current !== '' && areaNamed(name).key === areaNamed(current).key,
  };
}
