import { suggested } from '../../common/texts/nearest-name.js';
import { possibleWord } from '../../common/texts/possible-word.js';
import { type Warning, Warnings } from '../../common/warnings.js';
import { SERVICE_AREAS, type ServiceArea } from './area-type.js';
import { classifyArea } from './classify-area.js';
import { normalizeArea } from './normalize-area.js';

/** The note for an area that the inspector reported absent (description section 2.5). */
export const ABSENCE_NOTE = 'Not available — reported by the inspector.';

/** Limit on items: ample for five areas in many spellings. */
const MOST_ITEMS = 1_000;

/**
 * Reads the pipe-separated `skippedAreas`: returns the named service areas (any spelling of a capture: `smoke alarm`,
 * `gas_meter`) in fixed order, and warns of any other item. `path` is the member of the request that holds the list.
 */
export function readSkippedAreas(
  list: string,
  path = 'meta.skippedAreas',
): { skipped: ServiceArea[]; warnings: Warning[] } {
  const found = new Set<ServiceArea>();
  const warnings = new Warnings();
  const items = list.split('|', MOST_ITEMS + 1);
  if (items.length > MOST_ITEMS) warnings.add(tooManyItems(path));
  for (const item of new Set(items.slice(0, MOST_ITEMS))) {
    const name = possibleWord(item);
    if (name === '' ? item.trim() === '' : normalizeArea(name) === '') continue;
    const { service } = classifyArea(name);
    if (service) found.add(service);
    else warnings.addMade(() => notSkippable(item.trim(), path));
  }
  return { skipped: SERVICE_AREAS.filter((service) => found.has(service)), warnings: warnings.list() };
}

const tooManyItems = (path: string): Warning => ({
  code: 'too_many_skipped_areas',
  message: `Only the first ${MOST_ITEMS} items of skippedAreas were read.`,
  path,
});

const notSkippable = (item: string, path: string): Warning => ({
  code: 'unknown_skipped_area',
  message: `"${item.slice(0, 80)}" is not an area that can be skipped; it was ignored.`,
  path,
  ...suggested(item, SERVICE_AREAS),
});
