import { ACTIONS, type FactMemberName, RESPONSIBILITIES } from '../../api/inspection-terms.js';
import type { FactKind, FactWord, FactWords } from './fact.js';

/** Returns a fact as one line: `04713 m³, serial G4`, `2 × Front door, 1 returned`, `Hob: poor, dirty`. */
export function factText(kind: FactKind, words: FactWords): string {
  const { item, value, kind: name, ...others } = words;
  if (kind === 'keys') {
    const { count, ...more } = others;
    return listed([count === undefined ? name : `${count} × ${name}`, ...named(more)]);
  }
  if (kind === 'alarm') {
    const { place, ...more } = others;
    return listed([name, place, ...named(more)]);
  }
  if (kind === 'reading') {
    const { unit, ...more } = others;
    return listed([unit === undefined ? value : `${value} ${unit}`, ...named(more)]);
  }
  const { condition, cleanliness, description, asBefore, ...more } = others;
  const grades = [condition, cleanliness, description];
  const about = listed([...(asBefore === true ? [AS_BEFORE] : []), ...grades, ...named(more)]);
  return about === '' ? String(item) : `${item}: ${about}`;
}

/** The words for an observation that repeats the one of the check-in. */
export const AS_BEFORE = 'as at check-in';

type Word = string | number | boolean;

/** The members that do not print as `<member> <value>`. */
const SENTENCES: { readonly [Name in FactMemberName]?: (word: Word) => string } = {
  returned: (word) => `${word} returned`,
  responsibility: (word) => lower(RESPONSIBILITIES, word),
  action: (word) => `action: ${lower(ACTIONS, word)}`,
  note: String,
  result: String,
};

const lower = (labels: Readonly<Record<string, string>>, word: Word): string =>
  (labels[String(word)] ?? String(word)).toLowerCase();

const named = (words: FactWords): string[] =>
  Object.entries(words).map(([name, word]: [string, FactWord]) => {
    if (typeof word === 'object') return word.map(({ label, value }) => `${label} ${value}`).join(', ');
    const sentence = SENTENCES[name as FactMemberName];
    if (sentence) return sentence(word);
    if (typeof word === 'boolean') return word ? name : `not ${name}`;
    return `${name} ${word}`;
  });

const listed = (parts: readonly (Word | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join(', ');
