import type { RoomKind } from '../../api/report-terms.js';
import { normalizeItem } from '../facts/item-name.js';
import type { ReportFact } from './inspection-report.js';
import type { ReportSettings } from './report-settings.js';

/** Words of a name that are looked for among the items. */
const MOST_WORDS = 16;

/**
 * Returns the facts of an area with its observations in the order of the flow's items for that kind of room (contract section
 * 6), each where the first of them stood. An item is the one whose words the name has, the longest first: `Walls, north` is
 * `Walls`. Other observations follow in order of arrival.
 */
export function inOrderOfItems(
  facts: readonly ReportFact[],
  { items = {} }: Pick<ReportSettings, 'items'>,
  kind: RoomKind,
): readonly ReportFact[] {
  const wanted = items[kind] ?? items.default ?? [];
  if (wanted.length === 0) return facts;
  const places = new Map<string, number>();
  for (const [place, item] of wanted.entries()) {
    const key = singular(normalizeItem(item)).join(' ');
    if (!places.has(key)) places.set(key, place);
  }
  const placeOf = ({ words }: ReportFact): number =>
    placeIn(places, singular(normalizeItem(String(words.item)))) ?? wanted.length;
  const sorted = facts
    .filter((fact) => fact.kind === 'observation')
    .map((fact) => ({ fact, place: placeOf(fact) }))
    .sort((one, other) => one.place - other.place);
  let next = 0;
  return facts.map((fact) => (fact.kind === 'observation' ? sorted[next++]!.fact : fact));
}

function placeIn(places: ReadonlyMap<string, number>, words: readonly string[]): number | undefined {
  for (let length = Math.min(words.length, MOST_WORDS); length > 0; length -= 1)
    for (let from = 0; from + length <= Math.min(words.length, MOST_WORDS); from += 1) {
      const place = places.get(words.slice(from, from + length).join(' '));
      if (place !== undefined) return place;
    }
  return places.get(words.join(' '));
}

/** `doors` counts as `door`. */
const singular = (name: string): string[] =>
  name
    .split(' ')
    .map((word) =>
      word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word,
    );
