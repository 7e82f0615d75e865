import { normalizeArea } from './normalize-area.js';

/** Prepositions of place or purpose: the words after them do not name the area itself. */
export const PREPOSITIONS: ReadonlySet<string> = new Set(
  (
    'in inside within under underneath beneath below above over at by on off near next behind beside between against ' +
    'outside from to with without for via facing overlooking opposite adjoining'
  ).split(' '),
);

/** Words for a side, floor or piece, which never name the area itself. */
export const POSITIONS: ReadonlySet<string> = new Set(
  (
    'front rear back side left right upper lower top bottom middle centre center main north south east west northern ' +
    'southern eastern western hand interior exterior external inside outside outdoor outdoors area areas section part view overview general ' +
    'photo photos picture pictures image images one two three four first second third fourth a b c d no number the my our'
  ).split(' '),
);

/** Joined spellings, as typed on phones, with their words. */
const JOINED: ReadonlyMap<string, string[]> = new Map([
  ['gasmeter', ['gas', 'meter']],
  ['watermeter', ['water', 'meter']],
  ['electricmeter', ['electric', 'meter']],
  ['electricitymeter', ['electricity', 'meter']],
  ['elecmeter', ['elec', 'meter']],
  ['smokealarm', ['smoke', 'alarm']],
  ['smokealarms', ['smoke', 'alarms']],
  ['smokedetector', ['smoke', 'detector']],
  ['smokedetectors', ['smoke', 'detectors']],
  ['keyfob', ['key', 'fob']],
  ['keyfobs', ['key', 'fobs']],
]);

const LONGEST_NAME = 200;

/** The words of an area name in lower case, without apostrophes; words in brackets are separate. */
export interface AreaWords {
  main: string[];
  bracketed: string[];
}

/** Returns the words of an area name; none for one of more than 200 characters. */
export function areaWords(name: string): AreaWords {
  const text = normalizeArea(name);
  if (text.length > LONGEST_NAME) return { main: [], bracketed: [] };
  let depth = 0;
  let main = '';
  let bracketed = '';
  for (const character of text) {
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth = Math.max(0, depth - 1);
    else if (depth === 0) main += character;
    else bracketed += character;
    if ('([{)]}'.includes(character)) main += ' ';
  }
  return { main: wordsOf(main), bracketed: wordsOf(bracketed) };
}

function wordsOf(text: string): string[] {
  return text
    .replaceAll("'", '')
    .replace(/&|\+|,/g, ' and ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .flatMap((word) => JOINED.get(word) ?? [word]);
}

/** `2`, `12`, `2nd`, `1a`: a number that tells one area from another of the same name. */
export const isNumbering = (word: string): boolean => /^\p{N}{1,4}(?:st|nd|rd|th|[a-z])?$/u.test(word);
