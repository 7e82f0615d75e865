import { type AreaType, SERVICE_AREA_TITLES, type ServiceArea } from './area-type.js';
import { areaWords } from './area-words.js';
import { isExternalArea } from './external-area.js';
import { normalizeArea } from './normalize-area.js';
import { serviceAreaOf } from './service-area.js';

/** The section of an area in the report. `service` is set only for the five expected service areas. */
export interface AreaClass {
  type: AreaType;
  service?: ServiceArea;
}

/**
 * Classifies an area by its name (contract section 6, rule 6). `override`, the `areaType` of the capture call, takes
 * precedence: an area of type `service` that is none of the five has no `service`.
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

/** An area under which photographs and remarks are filed. */
export interface Area extends AreaClass {
  /** Equal for all spellings of one area; synonyms of a service area share the key of its title. */
  key: string;
  /** The caller's spelling. */
  name: string;
}

/** Returns the area for a name. */
export function areaNamed(name: string, override?: AreaType): Area {
  const sorted = classifyArea(name, override);
  const title = sorted.service === undefined ? name : SERVICE_AREA_TITLES[sorted.service];
  return { key: normalizeArea(title), name, ...sorted };
}
