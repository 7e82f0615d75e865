import { SERVICE_AREA_TITLES } from '../../../src/inspection/areas/area-type.js';
import { USUAL_ROOMS } from '../../common/usual-rooms.js';
import { plainArea } from './recorded.js';

/** The meters, keys and detectors, as the report calls them. */
export const SERVICE_NAMES: readonly string[] = Object.values(SERVICE_AREA_TITLES);

const unnumbered = (area: string): string => plainArea(area).replace(/ \d{1,3}$/, '');

/** Returns whether the words are the name of an area of this inspection or of a usual one. */
export function isKnownArea(words: string, own: readonly string[]): boolean {
  const name = unnumbered(words);
  return [...own, ...USUAL_ROOMS, ...SERVICE_NAMES].some((area) => unnumbered(area) === name);
}

/** Returns the message that files its photographs and words under an area. */
export const messageUnder = (area: string, words: string): string =>
  words === '' ? `Area: ${area}` : `Area: ${area}\n${words}`;
