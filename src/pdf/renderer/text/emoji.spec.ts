import { FontLibrary } from './font-library.js';
import { type GlyphRun, segmentText, type TextFont } from './segment-text.js';
import { wrapText } from './wrap-text.js';

const library = new FontLibrary();
const font: TextFont = { library, weight: 'regular', kern: false };
const FONTS: readonly TextFont[] = [font, { ...font, kern: true }];

const glyphsOf = (runs: readonly GlyphRun[]) => runs.flatMap(({ glyphs }) => glyphs);
const inked = (text: string, setting = font, rightToLeft = false) =>
  glyphsOf(segmentText(text, setting, rightToLeft)).filter(({ advance }) => advance > 0);
const copied = (runs: readonly GlyphRun[]): string =>
  runs.map(({ actual, glyphs }) => actual ?? glyphs.map(charactersOf).join('')).join('');
const charactersOf = ({ codePoints }: { codePoints: number[] }): string =>
  String.fromCodePoint(...codePoints);

const ENGLAND = '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}';
const UNKNOWN_REGION = '🏴\u{e0075}\u{e0073}\u{e0074}\u{e0078}\u{e007f}';

describe('an emoji of several characters', () => {
  it.each([
    ...['👍🏻', '👍🏿', '☝🏽', '☝\ufe0f🏽', '👩🏿‍🔧', '👮🏽‍♂️', '🧑🏻‍🤝‍🧑🏿'],
    ...['1️⃣', '9⃣', '#️⃣', '*️⃣', '👨‍👩‍👧‍👦', '👩‍❤️‍💋‍👨', '🏳️‍🌈', '🐈‍⬛'],
    ...['🇬🇧', '🇵🇱', '🇽🇽', ENGLAND, UNKNOWN_REGION, '❤️', '©️', '㊗️', '☎️'],
    ...['😀🏽', '🇬🇧🏽', '1️⃣🏽', '👍\u20e3'],
  ])('%s is one picture of the emoji font, and copies as it was sent', (emoji) => {
    for (const setting of FONTS) {
      for (const rightToLeft of [false, true]) {
        const runs = segmentText(emoji, setting, rightToLeft);
        expect(runs).toMatchObject([{ face: { name: 'NotoEmoji-Regular' }, actual: emoji }]);
        expect(glyphsOf(runs)).toHaveLength(1);
      }
    }
  });

  it('with a tone is the picture that the font has, else the one without it', () => {
    const picture = (text: string) => inked(text).map(({ id }) => id);
    expect(picture('🍎🏽')).toEqual(picture('🍎'));
    expect(picture('👩🏽‍🔧')).toEqual(picture('👩‍🔧'));
    expect(picture(ENGLAND)).not.toEqual(picture('🏴'));
    expect(picture(UNKNOWN_REGION)).toEqual(picture('🏴'));
  });

  it('that has no picture is its parts one after the other, and copies whole', () => {
    const runs = segmentText('👨🏽‍👩‍👧‍🍎', font);
    expect(inked('👨🏽‍👩‍👧‍🍎').map(({ id }) => id)).toEqual(
      ['👨', '👩', '👧', '🍎'].map((part) => inked(part)[0]?.id),
    );
    expect(copied(runs)).toBe('👨🏽‍👩‍👧‍🍎');
    expect(inked('😀‍'.repeat(1_000))).toHaveLength(1_000);
  });

  it('is set as text where it asks for it, and so is a digit without its keycap', () => {
    for (const text of ['❤︎', '1️', 'a️', '1', '#', '*']) {
      const [run, ...others] = segmentText(text, font);
      expect(others).toEqual([]);
      expect(run?.face.name).not.toBe('NotoEmoji-Regular');
      expect(run?.glyphs).toHaveLength(1);
    }
  });

  it('leaves nothing of a keycap, joiner, selector or tag that belongs to no emoji', () => {
    for (const setting of FONTS) {
      for (const stray of ['\u20e3', '\u200d', '\ufe0f', '\ufe0e', '\u{e0067}\u{e007f}', '\u{e0100}'])
        expect(inked(`a${stray}b`, setting)).toHaveLength(2);
    }
  });

  it('is never broken over two lines', () => {
    for (const emoji of ['👍🏽', '1️⃣', '👨‍👩‍👧‍👦', '🇬🇧', ENGLAND]) {
      const lines = [...wrapText(emoji.repeat(60), font, 20_000)];
      expect(lines.length).toBeGreaterThan(2);
      for (const { runs, width } of lines) {
        expect(copied(runs).length % emoji.length).toBe(0);
        expect(width).toBeLessThanOrEqual(20_000);
      }
    }
  });

  it('is shaped once, however many tags or tones follow it', () => {
    const layout = jest.spyOn(library.emoji as unknown as { layOut(): unknown }, 'layOut');
    for (const sequence of [`🏴${'\u{e0071}'.repeat(40)}`, `🐦${'🏽'.repeat(40)}`]) {
      layout.mockClear();
      expect([...wrapText(sequence.repeat(50), font, 20_000)].length).toBeGreaterThan(0);
      expect(layout.mock.calls.length).toBeLessThan(10);
    }
    layout.mockRestore();
  });

  it('whose first character no font has is one replacement mark', () => {
    for (const unknown of ['\u{1fc00}', '\u{1fc00}🏽', '\u{1fc00}\ufe0f', '\u{1fc00}\u200d'])
      expect(copied(segmentText(unknown, font))).toBe('\ufffd');
  });
});

it('no character, alone or with what may follow it, draws the box of a missing glyph', () => {
  const followers = [
    '',
    '\ufe0e',
    '\ufe0f',
    '\u20e3',
    '\u{1f3fd}',
    '\u200d\u{1f34e}',
    '\u0301',
    '\u20d0',
    '\ufe00',
  ];
  const bases: number[] = [];
  for (let code = 0x20; code < 0x20000; code += code < 0x3400 || code > 0x1efff ? 13 : 997)
    if (code < 0xd800 || code > 0xdfff) bases.push(code);
  for (const setting of FONTS) {
    const text = (base: number, follower: string) => `${String.fromCodePoint(base)}${follower}`;
    const boxes = bases.flatMap((base) =>
      followers
        .map((follower) => text(base, follower))
        .filter((drawn) => glyphsOf(segmentText(drawn, setting)).some(({ id }) => id === 0)),
    );
    expect(boxes).toEqual([]);
  }
});
