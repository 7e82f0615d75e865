import { accentOf, contrastOf } from './brand.js';

/** Surface and ground of the page (`pages/look.css`). */
const grounds = (dark: boolean) => (dark ? ['#172023', '#0e1517'] : ['#ffffff', '#f3f6f6']);

const colours = [
  '#0f5a60',
  '#ffd400',
  '#ffffff',
  '#000000',
  '#ff0000',
  '#00ff00',
  '#0000ff',
  '#777777',
  '#fafad2',
];

describe.each([false, true])('the accent of a brand (dark: %s)', (dark) => {
  it.each(colours)('is readable and visible: %s', (colour) => {
    const around = grounds(dark);
    const accent = accentOf(colour, { grounds: around, dark });
    const readable = (words: string, ground: string) =>
      expect(contrastOf(accent[words]!, ground)).toBeGreaterThanOrEqual(4.5);
    for (const ground of [...around, accent['--accent-soft']!]) readable('--accent-text', ground);
    readable('--on-accent', accent['--accent']!);
    readable('--on-accent', accent['--accent-hover']!);
    for (const ground of around) expect(contrastOf(accent['--accent']!, ground)).toBeGreaterThanOrEqual(1.5);
  });
});

describe('the accent of a brand', () => {
  it("is the brand's own colour when that is readable", () => {
    const light = accentOf('#0F5A60', { grounds: grounds(false), dark: false });
    expect(light).toMatchObject({
      '--accent': '#0f5a60',
      '--on-accent': '#ffffff',
      '--accent-text': '#0f5a60',
    });
    expect(accentOf('#ffd400', { grounds: grounds(true), dark: true })).toMatchObject({
      '--accent': '#ffd400',
      '--on-accent': '#000000',
      '--accent-text': '#ffd400',
    });
  });
});
