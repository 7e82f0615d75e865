import {
  SERVICE_AREA_TITLES,
  SERVICE_AREAS as SLUGS,
  type ServiceArea,
} from '../../../../src/inspection/areas/area-type.js';
import { areaNamed, classifyArea } from '../../../../src/inspection/areas/classify-area.js';

/** The five service areas of a check-in or check-out report, with the slugs of `outstandingAreas` and `skippedAreas`. */
export const SERVICE_AREAS: readonly { slug: ServiceArea; name: string }[] = SLUGS.map((slug) => ({
  slug,
  name: SERVICE_AREA_TITLES[slug],
}));

/** Returns the name of a service area; an unknown slug is returned unchanged. */
export const serviceAreaName = (slug: string): string =>
  SERVICE_AREAS.find((area) => area.slug === slug)?.name ?? slug;

/** Returns whether two names mean the same area. */
export const sameArea = (one: string, other: string): boolean => areaNamed(one).key === areaNamed(other).key;

/** Returns the items of `skippedAreas`: the slug of each service area once, and any other items. */
export const skippedItems = (list: string): string[] => [
  ...new Set(
    list
      .split('|')
      .map((item) => classifyArea(item).service ?? item.trim())
      .filter((item) => item !== ''),
  ),
];
