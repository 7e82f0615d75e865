import type { FactKind, FactWords } from './fact.js';

/** Returns a fact as one line: `04713 m³`, `2 × Front door`, `Hob: poor, dirty`. */
export function factText(kind: FactKind, words: FactWords): string {
  const { item, value, kind: name, ...others } = words;
  if (kind === 'keys') {
    const { count, ...more } = others;
    return listed([count === undefined ? name : `${String(count)} × ${String(name)}`, ...named(more)]);
  }
  if (kind === 'alarm') {
    const { place, ...more } = others;
    return listed([name, place, ...named(more)]);
  }
  if (kind === 'reading') {
    const { unit, ...more } = others;
    return listed([unit === undefined ? value : `${String(value)} ${String(unit)}`, ...named(more)]);
  }
  const { condition, cleanliness, description, ...more } = others;
  const said = listed([condition, cleanliness, description, ...named(more)]);
  return said === '' ? String(item) : `${String(item)}: ${said}`;
}

type Word = FactWords[string] | undefined;

const named = (words: Readonly<Record<string, Word>>): string[] =>
  Object.entries(words).flatMap(([name, word]) => {
    if (word === undefined) return [];
    if (typeof word === 'boolean') return [word ? name : `not ${name}`];
    return [`${name} ${word}`];
  });

const listed = (parts: readonly Word[]): string => parts.filter((part) => part !== undefined).join(', ');
