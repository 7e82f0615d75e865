import { computedMs } from '../../../../test/support/computed.js';
import type { ReportPhotograph } from '../../../inspection/report/inspection-report.js';
import { pairPhotographs } from './pair-photographs.js';

const KITCHEN = '07070f0cbc98940d';
const HOB = '0e4e5e5c4e4e5e0e';
const HALL = '07070f07373371e1';
const BATH = '07070f0f0f0f8670';

/** Differs from `look` in so many bits, at its end. */
const turned = (look: string, bits: number): string =>
  (BigInt(`0x${look}`) ^ ((1n << BigInt(bits)) - 1n)).toString(16).padStart(16, '0');

type Shot = string | undefined | { readonly look?: string; readonly filedUnder: string };

/** Photographs 1, 2, 3 … of a side, and how they look. */
function side(name: string, shots: readonly Shot[]) {
  const looks = new Map<string, string>();
  const photographs = shots.map((shot, index): ReportPhotograph => {
    const id = `${name}-${index}`;
    const { look, filedUnder } = typeof shot === 'object' ? shot : { look: shot, filedUnder: undefined };
    if (look !== undefined) looks.set(id, look);
    return {
      ...{ id, number: index + 1, instant: index, stamp: '', alternative: '' },
      ...{ width: 640, height: 480, rendition: null, renditionSha256: null },
      ...(filedUnder === undefined ? {} : { filedUnder }),
    };
  });
  return { photographs, looks };
}

/** `1-2 2-` for the rows: the numbers of both sides. */
function rows(
  before: readonly Shot[],
  after: readonly Shot[],
  cited: readonly (readonly [before: number[], after: number[]])[] = [],
): string {
  const [one, other] = [side('before', before), side('after', after)];
  const pairs = pairPhotographs(
    one.photographs,
    other.photographs,
    {
      before: one.looks,
      after: other.looks,
    },
    cited.map(([earlier, later]) => ({ before: citing(earlier), after: citing(later) })),
  );
  return pairs.map((pair) => `${pair.before?.number ?? ''}-${pair.after?.number ?? ''}`).join(' ');
}

/** A thing of which these photographs are. */
const citing = (numbers: number[]) => ({
  area: 'Kitchen',
  fact: { kind: 'observation' as const, words: { item: 'Hob' }, photographs: numbers },
});

const names = (...filedUnder: string[]): Shot[] => filedUnder.map((name) => ({ filedUnder: name }));

describe('photographs of an area in two reports', () => {
  it('stand beside those that look like them, in the order of the earlier report', () => {
    expect(rows([KITCHEN, HOB, HALL], [HALL, KITCHEN, HOB])).toBe('1-2 2-3 3-1');
    expect(rows([KITCHEN, HOB, HALL], [turned(HALL, 4), turned(HOB, 6)])).toBe('1- 2-2 3-1');
  });

  it('stand beside those that are cited for the same thing, whatever they look like', () => {
    expect(rows([KITCHEN, HOB], [KITCHEN, HOB], [[[1], [2]]])).toBe('1-2 2-1');
    expect(rows([KITCHEN, HOB, HALL], [undefined, BATH], [[[3], [2]]])).toBe('1-1 2- 3-2');
    const named = ['Smoke alarm landing', 'Heat alarm'].map((filedUnder) => ({ filedUnder }));
    expect(rows(named.slice(0, 1), named.slice(1), [[[1], [1]]])).toBe('1-1');
  });

  it('of one thing stand beside those that look like them, then in order', () => {
    expect(
      rows(
        [KITCHEN, HOB, HALL],
        [HALL, BATH, HOB],
        [
          [
            [1, 2, 3],
            [1, 2, 3],
          ],
        ],
      ),
    ).toBe('1-2 2-3 3-1');
    expect(
      rows(
        [KITCHEN, HOB],
        [HALL, BATH, HOB],
        [
          [[1], [1, 2]],
          [[2], [1, 2]],
        ],
      ),
    ).toBe('1-1 2-2 -3');
  });

  it('of things that cite photographs of other areas, or none, are paired as others', () => {
    expect(
      rows(
        [KITCHEN, HOB],
        [HOB, KITCHEN],
        [
          [[1], []],
          [[9], [1]],
          [[], [2]],
        ],
      ),
    ).toBe('1-2 2-1');
  });

  it('that are more alike go first', () => {
    expect(rows([turned(HOB, 6), turned(HOB, 2)], [HOB])).toBe('1- 2-1');
    expect(rows([HOB], [turned(HOB, 6), turned(HOB, 2)])).toBe('1-2 -1');
  });

  it('stand in their order where all look the same, or none has a look', () => {
    expect(rows([HOB, HOB, HOB], [HOB, HOB, HOB])).toBe('1-1 2-2 3-3');
    expect(rows([undefined, undefined], [undefined, undefined, undefined])).toBe('1-1 2-2 -3');
    expect(rows([HOB, undefined], [undefined, undefined])).toBe('1-1 2-2');
  });

  it('are no more alike than ten bits of 64 may say: what differs further meets by position', () => {
    expect(rows([turned(HOB, 10), BATH], [BATH, HOB])).toBe('1-2 2-1');
    expect(rows([BATH, turned(HOB, 10)], [HOB, KITCHEN])).toBe('1-2 2-1');
    expect(rows([BATH, turned(HOB, 11)], [HOB, KITCHEN])).toBe('1-1 2-2');
  });

  it('take the places that likeness has left, in order', () => {
    expect(rows([KITCHEN, undefined, HALL, undefined], [HALL, undefined, KITCHEN])).toBe('1-3 2-2 3-1 4-');
  });

  it('of another name of their own are none of theirs, neither by look nor by position', () => {
    expect(rows(names('Smoke alarm landing', 'CO alarm'), names('CO alarm', 'Heat alarm'))).toBe('1- 2-1 -2');
    const alarm = (filedUnder: string) => ({ look: HALL, filedUnder });
    expect(rows([alarm('Smoke alarm landing')], [alarm('Heat alarm')])).toBe('1- -1');
    expect(rows([alarm('Smoke alarm  LANDING')], [alarm('smoke-alarm landing')])).toBe('1-1');
  });

  it('without a name of their own meet what is left, whatever its name', () => {
    const plain = { filedUnder: '' };
    expect(rows([plain, ...names('CO alarm')], names('CO alarm', 'Heat alarm'))).toBe('1-2 2-1');
    expect(rows(names('CO alarm', 'Heat alarm'), [plain, plain, plain])).toBe('1-1 2-2 -3');
  });

  it('are each printed once, whatever they look like', () => {
    const looks = [KITCHEN, HOB, HALL, BATH, undefined];
    for (let seed = 0; seed < 200; seed++) {
      const shots = (count: number, by: number) =>
        Array.from({ length: count }, (_, index) => looks[(index * by + seed) % looks.length]);
      const [before, after] = [shots(seed % 7, 3), shots(seed % 11, 7)];
      const [one, other] = [side('before', before), side('after', after)];
      const pairs = pairPhotographs(one.photographs, other.photographs, {
        before: one.looks,
        after: other.looks,
      });
      const numbers = (which: 'before' | 'after') =>
        pairs.flatMap((pair) => pair[which]?.number ?? []).sort((a, b) => a - b);
      expect(numbers('before')).toEqual(one.photographs.map(({ number }) => number));
      expect(numbers('after')).toEqual(other.photographs.map(({ number }) => number));
      // Position has the last word: only one side has any left.
      expect(new Set(pairs.filter((p) => !p.before || !p.after).map((p) => p.before === null)).size).toBeLessThan(2); // prettier-ignore
    }
  });

  it.each([1_000, 4_000])('are paired in a moment also when there are %d on either side', async (count) => {
    const shots = Array.from({ length: count }, () => HOB);
    const pair = () => expect(rows(shots, shots).split(' ')[count - 1]).toBe(`${count}-${count}`);
    expect(await computedMs(pair, 2_000)).toBeLessThan(2_000);
  });

  it('are paired in a moment when ten thousand things cite a hundred photographs each', async () => {
    const shots = Array.from({ length: 1_000 }, () => HOB);
    const numbers = Array.from({ length: 100 }, (_, index) => index * 10 + 1);
    const cited = Array.from({ length: 10_000 }, () => [numbers, numbers] as const);
    const pair = () =>
      expect(
        rows(
          shots,
          shots,
          cited.map(([one, other]) => [[...one], [...other]]),
        ),
      ).toContain('1-1 ');
    expect(await computedMs(pair, 3_000)).toBeLessThan(3_000);
  });

  it('beyond a million pairs of an area, those nearest in position are looked at, and the rest stand in order', () => {
    const others = Array.from({ length: 2_999 }, () => undefined);
    expect(rows([HOB, ...others], [KITCHEN, HALL, HOB, ...others]).startsWith('1-3 2-1 3-2 4-4 ')).toBe(true);
    expect(rows([HOB, ...others], [...others, HOB]).startsWith('1-1 2-2 ')).toBe(true);
    expect(rows([HOB, ...others.slice(2_900)], [...others.slice(2_900), HOB]).startsWith('1-100 ')).toBe(
      true,
    );
  });
});
