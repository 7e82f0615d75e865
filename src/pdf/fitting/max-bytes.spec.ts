import { maxBytesOf } from './max-bytes.js';

describe('the size of a report, as a flow says it', () => {
  it('is a number, or a text that a template gave', () => {
    expect([14_000_000, '14000000', ' 40000000 ', '', ' ', undefined].map(maxBytesOf)).toEqual([
      14_000_000,
      14_000_000,
      40_000_000,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each([0, 9_999, 2_000_000_001, 20_000.5, Number.NaN, '14 MB', '-20000', '2e10'])(
    'is refused as %j, with what it must be',
    (value) => {
      expect(() => maxBytesOf(value)).toThrow(
        'The maxBytes of the render must be a whole number from 10000 to 2000000000.',
      );
    },
  );
});
