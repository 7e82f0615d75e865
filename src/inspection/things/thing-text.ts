import type { DetailValue } from '../details/read-details.js';
import type { FactKind, FactWords } from '../facts/fact.js';
import { META_MEMBERS, type MetaName } from '../report/meta-members.js';

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

/** Returns a detail as one line with its label: `Address: 1 Test Street`. */
export function detailText(name: string, value: DetailValue): string {
  const label = Object.hasOwn(META_MEMBERS, name) ? META_MEMBERS[name as MetaName].label : name;
  return `${label}: ${valueText(value)}`;
}

function valueText(value: DetailValue): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map(valueText).join('; ');
  return Object.entries(value as Readonly<Record<string, DetailValue>>)
    .map(([name, each]) => `${name} ${valueText(each)}`)
    .join(', ');
}
