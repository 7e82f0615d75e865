import { type AreaWords, isNumbering, POSITIONS, PREPOSITIONS } from './area-words.js';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const EXTERNAL_NOUNS = set(
  'garden gardens drive drives driveway driveways patio patios balcony balconies terrace terraces garage garages shed sheds porch porches elevation ' +
    'elevations fence fences fencing yard yards courtyard courtyards backyard lawn lawns deck decking veranda verandah pergola gazebo greenhouse ' +
    'summerhouse outbuilding outbuildings outhouse outhouses carport carports parking gate gates gateway path paths pathway pathways footpath roof roofs ' +
    'gutter gutters guttering facade frontage exterior exteriors external externals outside outdoor outdoors grounds allotment boundary boundaries ' +
    'alley alleyway hedge hedges bins',
);
const TWO_WORD_NOUNS = set(
  'summer_house car_port car_park bin_store bin_area bin_shed side_return side_passage side_access out_building out_buildings out_house drive_way ' +
    'parking_space parking_spaces parking_bay parking_bays parking_spot front_yard back_yard roof_top',
);
/** Things that are also found indoors: external only if the words before them are (`garden wall`, `outside tap`). */
const EITHER_NOUNS = set(
  'wall walls steps tap taps bench furniture border borders beds light lights lighting paving store tree trees plants building buildings',
);
const OUTDOOR_WORDS = set('garden gardens boundary external exterior outside outdoor patio perimeter');
const WHOLES = set('property house building home premises flat block');

/**
 * Returns true if the head noun of a name is outdoors: the last word that names a thing, ignoring numbering, sides and
 * places. `Bedroom Balcony` and `Garden - rear` are external; `Balcony Bedroom` and `Garden Flat Bedroom` are not. If
 * "and" joins several things, all must be external.
 */
export function isExternalArea({ main }: AreaWords): boolean {
  if (frontOfHouse(main)) return true;
  const things = splitAtAnd(beforePlace(main)).filter((words) => words.some(isThing));
  return things.length > 0 && things.every(isOutdoors);
}

const OUTDOOR_POSITIONS = set('exterior external outside outdoor outdoors');

const isThing = (word: string): boolean =>
  OUTDOOR_POSITIONS.has(word) || (!POSITIONS.has(word) && !isNumbering(word));

function isOutdoors(words: readonly string[]): boolean {
  let end = words.length;
  while (end > 0 && (POSITIONS.has(words[end - 1]!) || isNumbering(words[end - 1]!))) {
    if (OUTDOOR_POSITIONS.has(words[end - 1]!) && !words.slice(0, end - 1).some(isThing)) return true;
    if (TWO_WORD_NOUNS.has(`${words[end - 2] ?? ''}_${words[end - 1]!}`)) return true;
    end -= 1;
  }
  const head = words[end - 1] ?? '';
  const before = words[end - 2] ?? '';
  if (EXTERNAL_NOUNS.has(head)) return true;
  if (TWO_WORD_NOUNS.has(`${before}_${head}`)) return true;
  return EITHER_NOUNS.has(head) && OUTDOOR_WORDS.has(before);
}

/** `Front of property`, `Rear of the building`. */
function frontOfHouse(words: readonly string[]): boolean {
  const of = words.indexOf('of');
  const whole = words.slice(of + 1).filter((word) => word !== 'the' && word !== 'main');
  return (
    of > 0 &&
    words.slice(0, of).every((word) => POSITIONS.has(word)) &&
    whole.length === 1 &&
    WHOLES.has(whole[0]!)
  );
}

/** Returns the words before the first preposition (`Balcony off bedroom` → `balcony`), ignoring one at the start. */
function beforePlace(words: readonly string[]): readonly string[] {
  const at = words.findIndex(
    (word, index) => index > 0 && PREPOSITIONS.has(word) && !OUTDOOR_POSITIONS.has(word),
  );
  return at < 0 ? words : words.slice(0, at);
}

function splitAtAnd(words: readonly string[]): string[][] {
  const parts: string[][] = [[]];
  for (const word of words) {
    if (word === 'and') parts.push([]);
    else parts.at(-1)!.push(word);
  }
  return parts;
}
