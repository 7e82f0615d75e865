import { normalizeArea } from '../../../inspection/areas/normalize-area.js';
import type { ReportPhotograph } from '../../../inspection/report/inspection-report.js';
import type { Sides } from './comparison-report.js';

/** Perceptual hashes (16 hex digits) of photographs by id. */
export type Looks = ReadonlyMap<string, string>;

/** A row of a comparison; null for a missing counterpart. */
type PhotographPair = Sides<ReportPhotograph | null>;

/**
 * The most bits, of 64, in which the hashes of two photographs of one view differ. From half a step aside in other light, 3
 * to 10 bits differ; of two rooms 10 to 38, half of them at least 23.
 */
const ALIKE = 10;
/** The most pairs of one area that are compared, those nearest in position first: all of 1,000 by 1,000. */
const MOST_LOOKS = 1_000_000;

/**
 * Pairs the photographs of an area: the most alike first and, of equally alike ones, those nearest in position; the rest in
 * the order of the reports, until one of them has none left. Photographs with different names of their own
 * (`Smoke alarm landing`) are never paired. Rows are in the order of the earlier report; those of the later one alone follow.
 */
export function pairPhotographs(
  before: readonly ReportPhotograph[],
  after: readonly ReportPhotograph[],
  looks: Sides<Looks>,
): PhotographPair[] {
  const pairs = new Pairs(before.map(ownName), after.map(ownName));
  for (const pair of alike(before, after, looks))
    pairs.pair(Math.floor(pair / after.length), pair % after.length);
  pairs.pairRest();
  const { partners, taken } = pairs;
  const beside = (place: number): ReportPhotograph | null => after[partners.get(place) ?? -1] ?? null;
  return [
    ...before.map((photograph, place) => ({ before: photograph, after: beside(place) })),
    ...after.flatMap((photograph, place) => (taken.has(place) ? [] : [{ before: null, after: photograph }])),
  ];
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

  /** Pairs two places unless one has a partner or their names differ. */
  pair(one: number, other: number): void {
    if (this.partners.has(one) || this.taken.has(other)) return;
    const [name, otherName] = [this.before[one]!, this.after[other]!];
    if (name !== otherName && name !== '' && otherName !== '') return;
    this.partners.set(one, other);
    this.taken.add(other);
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
 * Returns the pairs of photographs that look alike, each as the number `earlier × length of the later + later`: the most
 * alike first, of equally alike ones those nearest in position.
 */
function alike(
  before: readonly ReportPhotograph[],
  after: readonly ReportPhotograph[],
  looks: Sides<Looks>,
): number[] {
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
  return found.flat();
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
  return Math.imul((count + (count >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
