import type { ServiceArea } from './area-type.js';
import { type AreaWords, isNumbering, POSITIONS, PREPOSITIONS } from './area-words.js';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

export const METER_KINDS = new Map<string, ServiceArea>([
  ...['electricity', 'electric', 'electrical', 'electrics', 'electro', 'elec', 'elect', 'leccy', 'lecky'].map(
    (word) => [word, 'electricity-meter'] as const,
  ),
  ['gas', 'gas-meter'],
  ['water', 'water-meter'],
]);
export const METERS = set('meter meters metre metres');
export const READINGS = set('reading readings');
const BETWEEN_KIND_AND_METER = set(
  'smart sub main mains supply utility prepayment prepaid prepay pre payment payg digital analogue key card coin token economy e7 7 dual credit single rate incoming',
);

const ALARMS = set('alarm alarms detector detectors sensor sensors monitor monitors');
const DETECTORS = set('detector detectors');
const HAZARDS = set('smoke smokes heat co co2 carbon monoxide dioxide fire');
const BETWEEN_HAZARD_AND_ALARM = set('and or gas mains battery optical wired wireless linked interlinked');
const OTHER_ALARMS = set(
  'burglar intruder security motion movement metal car door panic pir water leak flood damp personal window perimeter voltage',
);

export const KEYS = set('key keys fob fobs keyring keyrings keyset keysets latchkey latchkeys');
const WITH_KEYS = set('and set sets bunch ring rings card cards tag tags remote remotes chip');
const OTHER_KEYS = set(
  'allen piano hex radiator meter meters bleed stopcock alarm alarms smoke heat detector detectors gas electric electricity elec water turn no',
);

/** Words before which "key" means "main", not a door key. */
const AFTER_MAIN = set('area areas section sections part view overview details detail list photo photos');

const SUFFIXES = set(
  'reading readings read reads display serial close up closeup photo photos picture pictures image images location position test tested ' +
    'tests testing check checked checks working handed over handover received returned return collected collection issued provided supplied given ' +
    'details count list taken date and the no none present installed fitted detail',
);
const PLACES = set(
  'hall hallway hallways landing landings kitchen bedroom bedrooms lounge living dining room bathroom toilet wc ensuite en suite study office loft attic ' +
    'basement cellar stairs staircase stairway stairwell understairs ceiling ceilings wall floor ground upstairs downstairs utility conservatory corridor entrance ' +
    'lobby garage garden porch outside external master spare house flat property communal front rear back side left right upper lower main door doors first ' +
    'second third',
);
const CONTAINERS = set('cupboard cabinet box store wardrobe');

/**
 * Returns the service area for a name by the usual synonyms: `elec meter`, `Smoke alarm - hallway`, `set of keys`.
 * Undefined for near misses (`stopcock`, `key safe`, `burglar alarm`, `electric shower`, `gas meter cupboard`) and for
 * names of two areas: a heading of its own is safer than a wrong one.
 */
export function serviceAreaOf({ main, bracketed }: AreaWords): ServiceArea | undefined {
  return serviceOf(main) ?? (bracketed.length > 0 ? serviceOf([...main, ...bracketed]) : undefined);
}

function serviceOf(words: readonly string[]): ServiceArea | undefined {
  const found: (ServiceArea | undefined)[] = [
    meterOf(words),
    isDetectors(words) ? 'detectors' : undefined,
    isKeys(words) ? 'keys' : undefined,
  ];
  const meant = found.filter((service) => service !== undefined);
  return meant.length === 1 ? meant[0] : undefined;
}

function meterOf(words: readonly string[]): ServiceArea | undefined {
  const start = words.findIndex((word) => METER_KINDS.has(word));
  if (start < 0) return undefined;
  const kind = METER_KINDS.get(words[start]!);
  let at = start + 1;
  while (BETWEEN_KIND_AND_METER.has(words[at] ?? '')) at += 1;
  const before = words.slice(0, start);
  const named = METERS.has(words[at] ?? '') || READINGS.has(words[at] ?? '');
  if (!named) {
    const turnedRound = before.some((word) => METERS.has(word)) && before.every(isPartOfMeter);
    return turnedRound && isTail(words.slice(start + 1)) ? kind : undefined;
  }
  const beforePlace = untilPreposition(words.slice(at));
  if ([...before, ...beforePlace].some((word) => METER_KINDS.has(word) && METER_KINDS.get(word) !== kind))
    return undefined;
  return isLead(before) && isTail(words.slice(at + 1)) ? kind : undefined;
}

const isPartOfMeter = (word: string): boolean =>
  METERS.has(word) || SUFFIXES.has(word) || BETWEEN_KIND_AND_METER.has(word) || POSITIONS.has(word);

function isDetectors(words: readonly string[]): boolean {
  if (isCarbonMonoxide(words)) return true;
  const end = words.findIndex((word) => ALARMS.has(word));
  if (end < 0) return false;
  let start = end;
  while (start > 0 && (HAZARDS.has(words[start - 1]!) || BETWEEN_HAZARD_AND_ALARM.has(words[start - 1]!)))
    start -= 1;
  const core = words.slice(start, end);
  const ofHazard = core.some((word) => HAZARDS.has(word)) || words[start] === 'gas';
  const rest = words.slice(end + 1).filter((word) => !ALARMS.has(word) && !HAZARDS.has(word));
  const alone = words.some((word) => DETECTORS.has(word));
  if (!ofHazard && !alone) return false;
  if (words.slice(0, end).some((word) => OTHER_ALARMS.has(word))) return false;
  if (words.slice(0, end).some((word, index) => isKeyOrMeter(word) && words[index + 1] === 'and'))
    return false;
  return isLead(words.slice(0, start)) && isTail(rest);
}

const isKeyOrMeter = (word: string): boolean => KEYS.has(word) || METERS.has(word);

const isCarbonMonoxide = (words: readonly string[]): boolean =>
  words.every((word) => HAZARDS.has(word) || word === 'and') &&
  (words.includes('monoxide') ||
    (words.includes('smoke') && (words.includes('co') || words.includes('heat'))));

function isKeys(words: readonly string[]): boolean {
  const start = words.findIndex((word) => KEYS.has(word));
  if (start < 0) return false;
  let end = start + 1;
  while (KEYS.has(words[end] ?? '') || WITH_KEYS.has(words[end] ?? '')) end += 1;
  const before = words.slice(0, start);
  if (before.some((word) => OTHER_KEYS.has(word))) return false;
  if (words[start] === 'key' && AFTER_MAIN.has(words[end] ?? '')) return false;
  return isLead(before) && isTail(words.slice(end));
}

/** Returns true unless the words before the thing name another thing with a preposition (`cupboard under gas meter`). */
const isLead = (words: readonly string[]): boolean =>
  !words.some((word, index) => index > 0 && PREPOSITIONS.has(word) && !PREPOSITIONS.has(words[0]!));

/** `04731`, `04731kWh`, `m3`: a reading or a serial number behind the name, or its unit. */
const isReading = (word: string): boolean => /^\p{N}*(?:kwh|m3|ft3|units?)?$/u.test(word);

/** Returns true if a number, a place or an action follows the thing; a container makes it another thing. */
function isTail(words: readonly string[]): boolean {
  for (const [index, word] of words.entries()) {
    if (PREPOSITIONS.has(word)) return true;
    if (CONTAINERS.has(word) && PLACES.has(words[index - 1] ?? '')) continue;
    const isKnown = SUFFIXES.has(word) || PLACES.has(word) || POSITIONS.has(word);
    if (!isKnown && !isNumbering(word) && !isReading(word)) return false;
  }
  return true;
}

function untilPreposition(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => PREPOSITIONS.has(word));
  return at < 0 ? words : words.slice(0, at);
}
