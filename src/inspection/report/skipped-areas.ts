import { SERVICE_AREAS, type ServiceArea } from '../areas/area-type.js';
import { normalizeArea } from '../areas/normalize-area.js';

/** What an area that the inspector reported absent prints (description 2.5). */
export const ABSENCE_NOTE = 'Not available — reported by the inspector.';

const SLUG_BY_KEY = new Map(SERVICE_AREAS.map((service) => [normalizeArea(service), service]));

/** The pipe-separated `skippedAreas`: the service areas it names, in their own order, and a warning for any other item. */
export function readSkippedAreas(list: string): { skipped: ServiceArea[]; warnings: string[] } {
  const found = new Set<ServiceArea>();
  const warnings: string[] = [];
  for (const item of list.split('|')) {
    const key = normalizeArea(item);
    if (key === '') continue;
    const service = SLUG_BY_KEY.get(key);
    if (service) found.add(service);
    else
      warnings.push(
        `meta.skippedAreas: "${item.trim().slice(0, 80)}" is not an area that can be skipped; ignored.`,
      );
  }
  return { skipped: SERVICE_AREAS.filter((service) => found.has(service)), warnings };
}
