import { normalizeArea } from '../../../inspection/areas/normalize-area.js';
import type { ReportPhotograph } from '../../../inspection/report/inspection-report.js';
import type { PairedFact, PhotographPair, Sides } from './comparison-report.js';

/** Perceptual hashes (16 hex digits) of photographs by id. */
export type Looks = ReadonlyMap<string, string>;

/**
 * The most bits, of 64, in which the hashes of two photographs of one view differ. From half a step aside in other light, 3
 * to 10 bits differ; of two rooms 10 to 38, half of them at least 23.
 */
const ALIKE = 10;
/** The most pairs of one area that are compared, those nearest in position first: all of 1,000 by 1,000. */
const MOST_LOOKS = 1_000_000;

/**
 * Pairs the photographs of an area: first those that its things cite in both reports; then the most alike and, of equally
 * alike ones, those nearest in position; the rest in the order of the reports, until one of them has none left. Photographs
 * with different names of their own (`Smoke alarm landing`) are paired only if one thing cites both. Rows are in the order of
 * the earlier report; those of the later one alone follow.
 */
export function pairPhotographs(
  before: readonly ReportPhotograph[],
  after: readonly ReportPhotograph[],
  looks: Sides<Looks>,
  facts: readonly PairedFact[] = [],
): PhotographPair[] {
  const pairs = new Pairs(before.map(ownName), after.map(ownName));
  const likeness = alike(before, after, looks);
  const cited = citedTogether(facts, before, after);
  const together = sharedCitations(cited);
  if (cited.length > 0)
    for (const [one, other] of placesIn(likeness, after.length)) {
      if (pairs.complete) break;
      if (together(one, other)) pairs.put(one, other);
    }
  for (const thing of cited) pairs.putInOrder(thing);
  for (const [one, other] of placesIn(likeness, after.length)) {
    if (pairs.complete) break;
    pairs.pair(one, other);
  }
  const sure = new Set(pairs.partners.keys());
  pairs.pairRest();
  const { partners, taken } = pairs;
  const beside = (place: number): ReportPhotograph | null => after[partners.get(place) ?? -1] ?? null;
  return [
    ...before.map((photograph, place): PhotographPair => ({
      ...{ before: photograph, after: beside(place) },
      ...(sure.has(place) ? { sure: true } : {}),
    })),
    ...after.flatMap((photograph, place) => (taken.has(place) ? [] : [{ before: null, after: photograph }])),
  ];
}

/** Returns the places of the photographs that both reports cite for one thing, thing by thing. */
function citedTogether(
  facts: readonly PairedFact[],
  before: readonly ReportPhotograph[],
  after: readonly ReportPhotograph[],
): Sides<readonly number[]>[] {
  const placesOf = (photographs: readonly ReportPhotograph[]) => {
    const places = new Map(photographs.map(({ number }, place) => [number, place]));
    return (numbers: readonly number[]): number[] =>
      numbers.map((number) => places.get(number)).filter((place) => place !== undefined);
  };
  const [earlier, later] = [placesOf(before), placesOf(after)];
  return facts.flatMap((pair) => {
    if (!pair.before || !pair.after) return [];
    const cited = {
      before: earlier(pair.before.fact.photographs),
      after: later(pair.after.fact.photographs),
    };
    return cited.before.length > 0 && cited.after.length > 0 ? [cited] : [];
  });
}

/** The most things of a photograph by which it is paired. */
const MOST_THINGS = 8;

/** Returns whether one thing cites two places. */
function sharedCitations(
  cited: readonly Sides<readonly number[]>[],
): (one: number, other: number) => boolean {
  const thingsOf = (side: keyof Sides<unknown>): Map<number, number[]> => {
    const things = new Map<number, number[]>();
    for (const [thing, places] of cited.entries())
      for (const place of places[side]) {
        const known = things.get(place);
        if (!known) things.set(place, [thing]);
        else if (known.length < MOST_THINGS) known.push(thing);
      }
    return things;
  };
  const [earlier, later] = [thingsOf('before'), thingsOf('after')];
  return (one, other) => {
    const things = later.get(other);
    return things !== undefined && (earlier.get(one) ?? []).some((thing) => things.includes(thing));
  };
}

/** Pairs places in the two reports by the names of their photographs, which may be ''. */
class Pairs {
  /** Places in the later report by those in the earlier. */
  readonly partners = new Map<number, number>();
  readonly taken = new Set<number>();

  constructor(
    private readonly before: readonly string[],
    private readonly after: readonly string[],
  ) {}

  /** Is true once one of the reports has no photograph left. */
  get complete(): boolean {
    return this.partners.size === Math.min(this.before.length, this.after.length);
  }

  /** Pairs two places unless one has a partner or their names differ. */
  pair(one: number, other: number): void {
    if (this.partners.has(one) || this.taken.has(other)) return;
    const [name, otherName] = [this.before[one]!, this.after[other]!];
    if (name !== otherName && name !== '' && otherName !== '') return;
    this.put(one, other);
  }

  /** Pairs two places unless one has a partner. */
  put(one: number, other: number): void {
    if (this.partners.has(one) || this.taken.has(other)) return;
    this.partners.set(one, other);
    this.taken.add(other);
  }

  /** Pairs the photographs of one thing that are left, in their order. */
  putInOrder({ before, after }: Sides<readonly number[]>): void {
    if (this.complete) return;
    const later = after.filter((place) => !this.taken.has(place));
    for (const place of before)
      if (!this.partners.has(place) && later.length > 0) this.put(place, later.shift()!);
  }

  /** Pairs the rest in order: each with the next of its own name, then those without a name with the next of any. */
  pairRest(): void {
    const named = new Map<string, number[]>();
    for (const place of this.left()) {
      const name = this.after[place]!;
      const same = named.get(name);
      if (same) same.push(place);
      else named.set(name, [place]);
    }
    this.pairFrom((name) => named.get(name));
    const [left, unnamed] = [this.left(), this.left().filter((place) => this.after[place] === '')];
    this.pairFrom((name) => (name === '' ? left : unnamed));
  }

  private pairFrom(queueFor: (name: string) => number[] | undefined): void {
    for (const [place, name] of this.before.entries()) {
      if (this.partners.has(place)) continue;
      const next = queueFor(name)?.shift();
      if (next !== undefined) this.pair(place, next);
    }
  }

  /** Returns the places of the later report without a partner. */
  private left(): number[] {
    return this.after.flatMap((_, place) => (this.taken.has(place) ? [] : [place]));
  }
}

const ownName = ({ filedUnder = '' }: ReportPhotograph): string => normalizeArea(filedUnder);

/**
 * Returns the pairs of photographs that look alike, each as the number `earlier × length of the later + later`: a list
 * for each count of bits in which their hashes differ, with those nearest in position first.
 */
function alike(
  before: readonly ReportPhotograph[],
  after: readonly ReportPhotograph[],
  looks: Sides<Looks>,
): number[][] {
  const [earlier, later] = [before.map(lookIn(looks.before)), after.map(lookIn(looks.after))];
  // Lists by difference. A pair is one number, because there may be a million.
  const found = Array.from({ length: ALIKE + 1 }, (): number[] => []);
  let left = MOST_LOOKS;
  for (const step of stepsBetween(before.length, after.length)) {
    const end = Math.min(before.length, after.length - step);
    for (let one = Math.max(0, -step); one < end && left > 0; one++, left--) {
      const [look, other] = [earlier[one], later[one + step]];
      if (look && other) found[difference(look, other)]?.push(one * after.length + one + step);
    }
  }
  return found;
}

/** Yields the places of both photographs of each pair that `alike` returned. */
function* placesIn(likeness: readonly number[][], later: number): Generator<[one: number, other: number]> {
  for (const pairs of likeness) for (const pair of pairs) yield [Math.floor(pair / later), pair % later];
}

/** Yields the distances in position: 0, -1, 1, -2, 2 … */
function* stepsBetween(before: number, after: number): Generator<number> {
  yield 0;
  for (let away = 1; away < Math.max(before, after); away++) yield* [-away, away];
}

type Look = readonly [high: number, low: number];

const lookIn =
  (looks: Looks) =>
  ({ id }: ReportPhotograph): Look | undefined => {
    const hash = looks.get(id);
    return hash === undefined
      ? undefined
      : [Number.parseInt(hash.slice(0, 8), 16), Number.parseInt(hash.slice(8), 16)];
  };

const difference = (one: Look, other: Look): number => bits(one[0] ^ other[0]) + bits(one[1] ^ other[1]);

/** Counts the set bits of a 32-bit number. */
function bits(value: number): number {
  let count = value - ((value >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  count = (count + (count >>> 4)) & 0x0f0f0f0f;
  count += count >>> 8;
  return (count + (count >>> 16)) & 0x3f;
}
