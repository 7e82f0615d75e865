import type { Warning } from '../../../common/warnings.js';
import type { FactKind } from '../../../inspection/facts/fact.js';
import { normalizeItem } from '../../../inspection/facts/item-name.js';
import type { ReportFact } from '../../../inspection/report/inspection-report.js';
import { printedWord } from '../fact-words.js';
import type { AreaSide, NamedPair, PairedFact, PlacedFact, Sides } from './comparison-report.js';
import { pairKeys, wordsKey } from './item-names.js';

/** An area of two reports, before its facts are paired. */
export interface AreaPair extends Sides<AreaSide | null> {
  readonly heading: string;
}

/** A fact of one side with the place of its area. */
interface Entry extends PlacedFact {
  readonly place: number;
}

type KeyOf = (entry: Entry, side: keyof Sides<unknown>) => string | undefined;

/** Returns the name of a fact's thing: the item, or the kind of keys or alarm; '' for a reading, which its area names. */
export const nameOfThing = ({ kind, words }: ReportFact): string =>
  kind === 'reading' ? '' : printedWord(words, SUBJECT[kind]);

const SUBJECT = { observation: 'item', keys: 'kind', alarm: 'kind' } as const satisfies Partial<
  Record<FactKind, string>
>;

/**
 * Pairs the facts of two reports that are about one thing: first those that the caller names, then those of one name. A
 * list for each area: the facts of the earlier report in its order, then those of the later one alone. A thing that the
 * later report has in another area is in the area of the earlier.
 */
export function pairFacts(
  areas: readonly AreaPair[],
  named: readonly NamedPair[],
): { facts: PairedFact[][]; warnings: Warning[] } {
  const entries = { before: entriesOf(areas, 'before'), after: entriesOf(areas, 'after') };
  const names = (side: readonly Entry[]): Set<string> =>
    new Set(side.map(({ fact }) => normalizeItem(nameOfThing(fact))).filter((key) => key !== ''));
  const { keys, warnings } = pairKeys(named, {
    before: names(entries.before),
    after: names(entries.after),
  });
  const pairing = new Pairing(entries);
  const given: KeyOf = ({ fact }, side) => keys[side].get(normalizeItem(nameOfThing(fact)))?.toString();
  pairing.pairBy((entry, side) => withPlace(entry, given(entry, side)));
  pairing.pairBy(given);
  // Equal statements about one thing are paired before others about it.
  pairing.pairBy((entry) => withPlace(entry, `${exactKey(entry)}\0${JSON.stringify(entry.fact.words)}`));
  pairing.pairBy((entry) => withPlace(entry, exactKey(entry)));
  pairing.pairBy((entry) => withPlace(entry, looseKey(entry)));
  pairing.pairBy(anywhereKey);
  pairing.pairOnly(kindKey);
  return { facts: pairing.byArea(areas.length), warnings };
}

const entriesOf = (areas: readonly AreaPair[], side: keyof Sides<unknown>): Entry[] =>
  areas.flatMap((area, place) =>
    (area[side]?.facts ?? []).map((fact) => ({ area: area.heading, fact, place })),
  );

const withPlace = ({ place }: Entry, key: string | undefined): string | undefined =>
  key === undefined ? undefined : `${place}\0${key}`;

const register = ({ words }: ReportFact): string => normalizeItem(printedWord(words, 'register'));

/** The thing, its own name in a service area, and where it is. */
const exactKey = ({ fact }: Entry): string =>
  [fact.kind, nameOfThing(fact), fact.filedUnder ?? '', printedWord(fact.words, 'place'), register(fact)]
    .map(normalizeItem)
    .join('\0');

/** The thing without its own name: `Front door` under `Keys` and under `Front door keys`. */
const looseKey = ({ fact }: Entry): string | undefined =>
  fact.kind === 'alarm' ? undefined : `${fact.kind}\0${normalizeItem(nameOfThing(fact))}\0${register(fact)}`;

/** An alarm by the words of its kind, place and heading; keys by their kind: in any area. */
function anywhereKey({ fact }: Entry): string | undefined {
  if (fact.kind === 'keys') return `keys\0${normalizeItem(nameOfThing(fact))}`;
  if (fact.kind !== 'alarm') return undefined;
  return `alarm\0${wordsKey(nameOfThing(fact), printedWord(fact.words, 'place'), fact.filedUnder ?? '')}`;
}

/** An alarm by its kind, and a reading by its meter; for the only one on either side. */
const kindKey: KeyOf = ({ fact, place }) =>
  fact.kind === 'alarm'
    ? `alarm\0${normalizeItem(nameOfThing(fact))}`
    : fact.kind === 'reading'
      ? `reading\0${place}`
      : undefined;

/** Pairs the entries of both sides pass by pass. */
class Pairing {
  private readonly partners = new Map<Entry, Entry>();
  private readonly taken = new Set<Entry>();

  constructor(private readonly entries: Sides<readonly Entry[]>) {}

  /** Pairs those without a partner that have the same key, in their order. */
  pairBy(keyOf: KeyOf): void {
    const later = this.leftBy(keyOf, 'after');
    for (const entry of this.left('before')) {
      const key = keyOf(entry, 'before');
      const partner = key === undefined ? undefined : later.get(key)?.next();
      if (partner) this.pair(entry, partner);
    }
  }

  /** Pairs entries that are the only ones of their key on either side, unless both name a place. */
  pairOnly(keyOf: KeyOf): void {
    const [earlier, later] = [this.leftBy(keyOf, 'before'), this.leftBy(keyOf, 'after')];
    for (const [key, queue] of earlier) {
      const [one, other] = [queue.only(), later.get(key)?.only()];
      if (one && other && !(isPlaced(one) && isPlaced(other))) this.pair(one, other);
    }
  }

  byArea(count: number): PairedFact[][] {
    const lists = Array.from({ length: count }, (): PairedFact[] => []);
    for (const entry of this.entries.before)
      lists[entry.place]!.push({ before: entry, after: this.partners.get(entry) ?? null });
    for (const entry of this.left('after')) lists[entry.place]!.push({ before: null, after: entry });
    return lists;
  }

  private left(side: keyof Sides<unknown>): readonly Entry[] {
    return side === 'before'
      ? this.entries.before.filter((entry) => !this.partners.has(entry))
      : this.entries.after.filter((entry) => !this.taken.has(entry));
  }

  private leftBy(keyOf: KeyOf, side: keyof Sides<unknown>): Map<string, Queue> {
    const queues = new Map<string, Queue>();
    for (const entry of this.left(side)) {
      const key = keyOf(entry, side);
      if (key === undefined) continue;
      const queue = queues.get(key);
      if (queue) queue.entries.push(entry);
      else queues.set(key, new Queue([entry]));
    }
    return queues;
  }

  private pair(one: Entry, other: Entry): void {
    this.partners.set(one, other);
    this.taken.add(other);
  }
}

/** Entries of one key, taken in their order. */
class Queue {
  private taken = 0;

  constructor(readonly entries: Entry[]) {}

  next(): Entry | undefined {
    return this.entries[this.taken++];
  }

  only(): Entry | undefined {
    return this.entries.length === 1 ? this.entries[0] : undefined;
  }
}

const isPlaced = ({ fact }: Entry): boolean =>
  fact.kind === 'reading'
    ? register(fact) !== ''
    : printedWord(fact.words, 'place') !== '' || fact.filedUnder !== undefined;
