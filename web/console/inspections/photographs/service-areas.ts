import {
  SERVICE_AREA_TITLES,
  SERVICE_AREAS as SLUGS,
  type ServiceArea,
} from '../../../../src/inspection/areas/area-type.js';
import { areaNamed, classifyArea } from '../../../../src/inspection/areas/classify-area.js';

/** The five areas that a check-in or check-out report expects, as `outstandingAreas` and `skippedAreas` write them. */
export const SERVICE_AREAS: readonly { slug: ServiceArea; name: string }[] = SLUGS.map((slug) => ({
  slug,
  name: SERVICE_AREA_TITLES[slug],
}));

/** The name of an area that is written as a slug; what is not known stays as it is. */
export const serviceAreaName = (slug: string): string =>
  SERVICE_AREAS.find((area) => area.slug === slug)?.name ?? slug;

/** Whether two names mean the same area. */
export const sameArea = (one: string, other: string): boolean => areaNamed(one).key === areaNamed(other).key;

/** The items of `skippedAreas`: the slug of each service area once, and whatever else it names. */
export const skippedItems = (list: string): string[] => [
  ...new Set(
    list
      .split('|')
      .map((item) => classifyArea(item).service ?? item.trim())
      .filter((item) => item !== ''),
  ),
];
