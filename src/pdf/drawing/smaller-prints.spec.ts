import { firstThatFits, PRINT_STEPS, sampleOf } from './smaller-prints.js';

describe('the sizes of pictures in a report', () => {
  it('go down step by step, never below 800 pixels or quality 60', () => {
    for (const [place, { longSide, quality }] of PRINT_STEPS.entries()) {
      expect([longSide >= 800, quality >= 60]).toEqual([true, true]);
      const before = PRINT_STEPS[place - 1];
      if (!before) continue;
      expect([longSide <= before.longSide, quality <= before.quality]).toEqual([true, true]);
      expect([longSide, quality]).not.toEqual([before.longSide, before.quality]);
    }
    expect(PRINT_STEPS.at(-1)).toEqual({ longSide: 800, quality: 60 });
  });

  it('are found by asking of few: the first that fits, or the last', async () => {
    const last = PRINT_STEPS.length - 1;
    for (let from = 0; from <= last; from++)
      for (let wanted = from; wanted <= last + 1; wanted++) {
        let asked = 0;
        const fits = (place: number) => Promise.resolve((asked++, place >= wanted));
        expect(await firstThatFits(from, fits)).toBe(Math.min(wanted, last));
        expect(asked).toBeLessThanOrEqual(4);
      }
  });

  it('are foretold by pictures of every weight, or by all where there are few', () => {
    const weighing = (count: number) => Array.from({ length: count }, (_, at) => ({ bytes: 1000 - at }));
    expect(sampleOf(weighing(16))).toHaveLength(16);
    const sample = sampleOf(weighing(325)).map(({ bytes }) => bytes);
    expect([new Set(sample).size, Math.min(...sample) < 700, Math.max(...sample) > 980]).toEqual([
      16,
      true,
      true,
    ]);
    expect(sampleOf([])).toEqual([]);
  });
});
