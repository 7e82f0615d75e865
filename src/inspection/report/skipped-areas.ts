import { suggested } from '../../common/texts/nearest-name.js';
import { type Warning, Warnings } from '../../common/warnings.js';
import { SERVICE_AREAS, type ServiceArea } from '../areas/area-type.js';
import { normalizeArea } from '../areas/normalize-area.js';

/** Printed for an area that the inspector reported absent (description section 2.5). */
export const ABSENCE_NOTE = 'Not available — reported by the inspector.';

const SLUG_BY_KEY = new Map(SERVICE_AREAS.map((service) => [normalizeArea(service), service]));

/** The pipe-separated `skippedAreas`: the service areas it names, in their own order, and a warning for any other item. */
export function readSkippedAreas(list: string): { skipped: ServiceArea[]; warnings: Warning[] } {
  const found = new Set<ServiceArea>();
  const warnings = new Warnings();
  for (const item of list.split('|')) {
    const key = normalizeArea(item);
    if (key === '') continue;
    const service = SLUG_BY_KEY.get(key);
    if (service) found.add(service);
    else warnings.addMade(() => notSkippable(item.trim()));
  }
  return { skipped: SERVICE_AREAS.filter((service) => found.has(service)), warnings: warnings.list() };
}

const notSkippable = (item: string): Warning => ({
  code: 'unknown_skipped_area',
  message: `"${item.slice(0, 80)}" is not an area that can be skipped; it was ignored.`,
  path: 'meta.skippedAreas',
  ...suggested(item, SERVICE_AREAS),
});
