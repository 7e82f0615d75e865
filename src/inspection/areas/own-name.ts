import { bestHeading } from './area-heading.js';
import { SERVICE_AREA_TITLES, type ServiceArea } from './area-type.js';
import { areaWords } from './area-words.js';
import { normalizeArea } from './normalize-area.js';
import { KEYS, METER_KINDS, METERS, READINGS } from './service-area.js';

/** Words that say of no service area which one of its kind is meant. */
const PLAIN: ReadonlySet<string> = new Set(
  'the a an my our and of photo photos picture pictures image images close up closeup view display serial number no detector detectors'.split(
    ' ',
  ),
);

/**
 * The key of a name that says more than the title of its service area (`Smoke alarm landing`, not `elec meter`): equal
 * for all spellings of it. Undefined for a mere spelling of the title.
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

/** The names of their own under which the contents of an area were filed, in order of first mention. */
export class OwnNames {
  private readonly names = new Map<string, { readonly place: number; readonly spellings: string[] }>();

  add(key: string, spelling: string): void {
    const known = this.names.get(key);
    if (known) known.spellings.push(spelling);
    else this.names.set(key, { place: this.names.size, spellings: [spelling] });
  }

  /** -1, before all others, without a name of its own. */
  placeOf(key: string | undefined): number {
    return key === undefined ? -1 : (this.names.get(key)?.place ?? -1);
  }

  /** The best of its spellings. */
  headingOf(key: string): string {
    return bestHeading(this.names.get(key)?.spellings ?? []);
  }
}
