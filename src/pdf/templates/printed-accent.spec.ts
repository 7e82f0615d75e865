import { printedAccent } from './printed-accent.js';

describe('the colour of a brand on paper', () => {
  it.each([
    ['dark enough for words', '#7a1f3d', '#7a1f3d'],
    ['black', '#000000', '#000000'],
    // 4.54 to 1, and the next lighter grey 4.48.
    ['the lightest grey in which words are read', '#767676', '#767676'],
  ])('stays as it is where it is %s', (_, colour, printed) => expect(printedAccent(colour)).toBe(printed));

  it.each(['#777777', '#ffe14d', '#00ffff', '#ff0000', '#ffffff'])(
    'is moved toward black no further than words need: %s',
    (colour) => {
      const printed = printedAccent(colour);
      expect(contrastWithWhite(printed)).toBeGreaterThanOrEqual(4.5);
      expect(contrastWithWhite(printed)).toBeLessThan(4.8);
    },
  );
});

/** WCAG 2.2, as its text has it. */
function contrastWithWhite(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4);
  }) as [number, number, number];
  return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05);
}
