import { type AreaType, SERVICE_AREA_TITLES, type ServiceArea } from './area-type.js';
import { areaWords } from './area-words.js';
import { isExternalArea } from './external-area.js';
import { normalizeArea } from './normalize-area.js';
import { serviceAreaOf } from './service-area.js';

/** Where in the report an area prints. `service` is set for the five expected ones only. */
export interface AreaClass {
  type: AreaType;
  service?: ServiceArea;
}

/**
 * Sorts an area by its name (contract section 6, rule 6). `override` is `areaType` of the capture call and wins: a
 * `service` that is none of the five stays without one.
 */
export function classifyArea(name: string, override?: AreaType): AreaClass {
  const words = areaWords(name);
  if (override === undefined || override === 'service') {
    const service = serviceAreaOf(words);
    if (service !== undefined) return { type: 'service', service };
  }
  if (override !== undefined) return { type: override };
  return { type: isExternalArea(words) ? 'external' : 'room' };
}

/** An area as photographs and remarks are filed under it. */
export interface Area extends AreaClass {
  /** Equal for all spellings of one area; synonyms of a service area share the key of its title. */
  key: string;
  /** As the caller spelt it. */
  name: string;
}

/** The area that a name means. */
export function areaNamed(name: string, override?: AreaType): Area {
  const sorted = classifyArea(name, override);
  const title = sorted.service === undefined ? name : SERVICE_AREA_TITLES[sorted.service];
  return { key: normalizeArea(title), name, ...sorted };
}
