import { normalizeArea } from '../../../inspection/areas/normalize-area.js';
import type { ReportPhotograph } from '../../../inspection/report/inspection-report.js';
import type { Sides } from './comparison-report.js';

/** Perceptual hashes (16 hex digits) of photographs by their ids; one that has none is not in it. */
export type Looks = ReadonlyMap<string, string>;

/** A row of a comparison: null where the photograph of the other side has no counterpart. */
export type PhotographPair = Sides<ReportPhotograph | null>;

/**
 * Bits of 64 by which two photographs may differ and be of one view. Of the same view from half a step aside, in other
 * light, 3 to 10 differ; of two rooms 10 to 38, half of them 23 and more.
 */
const ALIKE = 10;
/** Pairs of one area that are looked at, those nearest in position first: all of 1,000 by 1,000. */
const MOST_LOOKS = 1_000_000;

/**
 * Which photograph of an area stands beside which: the most alike first, and of equally alike ones those nearest in
 * position; what nothing is like, in the order of either report; what is then left has no counterpart. Photographs filed
 * under different names of their own (`Smoke alarm landing`) are never a pair. Rows stand in the order of the earlier
 * report, those of the later one alone after them.
 */
export function pairPhotographs(
  before: readonly ReportPhotograph[],
  after: readonly ReportPhotograph[],
  looks: Sides<Looks>,
): PhotographPair[] {
  const pairs = new Pairs(before.map(nameOf), after.map(nameOf));
  for (const pair of alike(before, after, looks))
    pairs.pair(Math.floor(pair / after.length), pair % after.length);
  pairs.inOrder();
  const { partners, taken } = pairs;
  const beside = (place: number): ReportPhotograph | null => after[partners.get(place) ?? -1] ?? null;
  return [
    ...before.map((photograph, place) => ({ before: photograph, after: beside(place) })),
    ...after.flatMap((photograph, place) => (taken.has(place) ? [] : [{ before: null, after: photograph }])),
  ];
}

/** Places in the two reports, whose photographs have names of their own or ''. */
class Pairs {
  /** The place in the later report for one in the earlier. */
  readonly partners = new Map<number, number>();
  readonly taken = new Set<number>();

  constructor(
    private readonly before: readonly string[],
    private readonly after: readonly string[],
  ) {}

  /** Nothing, where either has a partner or the names of both tell them apart. */
  pair(one: number, other: number): void {
    if (this.partners.has(one) || this.taken.has(other)) return;
    const [name, otherName] = [this.before[one]!, this.after[other]!];
    if (name !== otherName && name !== '' && otherName !== '') return;
    this.partners.set(one, other);
    this.taken.add(other);
  }

  /** Pairs the rest: each with the next of its own name, then those without a name with whatever comes next. */
  inOrder(): void {
    const named = new Map<string, number[]>();
    for (const place of this.left()) {
      const name = this.after[place]!;
      const same = named.get(name);
      if (same) same.push(place);
      else named.set(name, [place]);
    }
    this.meet((name) => named.get(name));
    const [left, unnamed] = [this.left(), this.left().filter((place) => this.after[place] === '')];
    this.meet((name) => (name === '' ? left : unnamed));
  }

  private meet(queueFor: (name: string) => number[] | undefined): void {
    for (const [place, name] of this.before.entries()) {
      if (this.partners.has(place)) continue;
      const next = queueFor(name)?.shift();
      if (next !== undefined) this.pair(place, next);
    }
  }

  /** Places of the later report without a partner. */
  private left(): number[] {
    return this.after.flatMap((_, place) => (this.taken.has(place) ? [] : [place]));
  }
}

const nameOf = ({ filedUnder = '' }: ReportPhotograph): string => normalizeArea(filedUnder);

/** Pairs of places (`earlier × length of the later + later`) whose photographs look alike: the likest first, of those the nearest in position. */
function alike(
  before: readonly ReportPhotograph[],
  after: readonly ReportPhotograph[],
  looks: Sides<Looks>,
): number[] {
  const [earlier, later] = [before.map(lookIn(looks.before)), after.map(lookIn(looks.after))];
  // By difference. A pair is one number, for there may be a million.
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
/** How far apart in position: 0, -1, 1, -2, 2 … */
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

/** How many bits of a 32-bit number are set. */
function bits(value: number): number {
  let count = value - ((value >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return Math.imul((count + (count >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
