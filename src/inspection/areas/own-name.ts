import { bestHeading } from './area-heading.js';
import { SERVICE_AREA_TITLES, type ServiceArea } from './area-type.js';
import { areaWords } from './area-words.js';
import { normalizeArea } from './normalize-area.js';
import { KEYS, METER_KINDS, METERS, READINGS } from './service-area.js';

/** Words that do not distinguish one service area from another of its kind. */
const PLAIN: ReadonlySet<string> = new Set(
  'the a an my our and of photo photos picture pictures image images close up closeup view display serial number no detector detectors'.split(
    ' ',
  ),
);

/**
 * Returns the key of a name that is more specific than the title of its service area (`Smoke alarm landing`, not `elec
 * meter`), equal for all of its spellings. Undefined for a spelling of the title.
 */
export function ownNameKey(name: string, service: ServiceArea): string | undefined {
  const key = normalizeArea(name);
  if (key === '' || key === normalizeArea(SERVICE_AREA_TITLES[service])) return undefined;
  const { main, bracketed } = areaWords(name);
  const words = [...main, ...bracketed];
  if (words.length > 0 && words.every((word) => PLAIN.has(word) || isTitleOf(word, service)))
    return undefined;
  return key;
}

function isTitleOf(word: string, service: ServiceArea): boolean {
  if (service === 'keys') return KEYS.has(word) || word === 'set' || word === 'sets';
  return METER_KINDS.get(word) === service || METERS.has(word) || READINGS.has(word);
}

/** The specific names within a service area, in order of first mention. */
export class OwnNames {
  private readonly names = new Map<string, { readonly place: number; readonly spellings: string[] }>();

  add(key: string, spelling: string): void {
    const known = this.names.get(key);
    if (known) known.spellings.push(spelling);
    else this.names.set(key, { place: this.names.size, spellings: [spelling] });
  }

  /** Returns the position of a name; -1, before all others, for no specific name. */
  placeOf(key: string | undefined): number {
    return key === undefined ? -1 : (this.names.get(key)?.place ?? -1);
  }

  /** Returns the heading from the best spelling of a name. */
  headingOf(key: string): string {
    return bestHeading(this.names.get(key)?.spellings ?? []);
  }
}
