import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FontLibrary } from './font-library.js';
import { type GlyphRun, segmentText, type TextFont } from './segment-text.js';
import { wrapText } from './wrap-text.js';

interface ShapedName {
  readonly name: string;
  readonly font: string;
  readonly text: string;
  readonly rightToLeft?: true;
  /** Set letter by letter in a text that is not kerned. */
  readonly kern?: true;
  readonly glyphs: readonly (readonly [id: number, advance: number, dx: number, dy: number])[];
}

/**
 * Names in the scripts of the fonts, as `hb-shape` (HarfBuzz 6.0.0) sets them in the font's units, with
 * `--preserve-default-ignorables --features=-liga,-clig,-dlig,-hlig`.
 */
const NAMES = JSON.parse(
  readFileSync(join(__dirname, '../../../../test/fixtures/shaped-names.json'), 'utf8'),
) as ShapedName[];

const library = new FontLibrary();
const BODY: TextFont = { library, weight: 'regular', kern: false };
const HEADING: TextFont = { ...BODY, kern: true };

const glyphsOf = (runs: readonly GlyphRun[]) => runs.flatMap(({ glyphs }) => glyphs);
const idsOf = (text: string, font = BODY, rightToLeft = false) =>
  glyphsOf(segmentText(text, font, rightToLeft)).map(({ id }) => id);
const facesOf = (text: string) => [...new Set(segmentText(text, BODY).map(({ face }) => face.name))];

describe.each(NAMES)('the name in $name', ({ font, text, rightToLeft = false, kern, glyphs }) => {
  const settings = kern ? [HEADING] : [BODY, HEADING];

  it('has the glyphs of HarfBuzz, where it puts them', () => {
    for (const setting of settings) {
      const runs = segmentText(text, setting, rightToLeft);
      expect([...new Set(runs.map(({ face }) => face.name))]).toEqual([font]);
      const units = runs[0]!.face.file.unitsPerEm / 1000;
      const set = glyphsOf(runs).map(({ id, advance, dx, dy }) => [
        id,
        ...[advance, dx, dy].map((length) => Math.round(length * units)),
      ]);
      expect(set).toEqual(glyphs);
    }
  });

  it('reads as it was sent', () => {
    for (const setting of settings) {
      const runs = segmentText(text, setting, rightToLeft);
      const read = runs.map(({ actual, glyphs: set }) => {
        const parts = set.map(({ codePoints }) => String.fromCodePoint(...codePoints));
        return actual ?? (rightToLeft ? parts.reverse() : parts).join('');
      });
      expect((rightToLeft ? read.reverse() : read).join('')).toBe(text);
    }
  });

  it('is measured as it is drawn', () => {
    const [line] = wrapText(text, BODY, 40_000);
    const width = glyphsOf(segmentText(text, BODY, rightToLeft)).reduce(
      (sum, { advance }) => sum + advance,
      0,
    );
    expect(line!.width).toBeCloseTo(width, 5);
  });
});

describe('a mark', () => {
  it('stands on its letter in running text, in a font that has both', () => {
    const accent = segmentText('ọ́', BODY)
      .flatMap(({ glyphs }) => glyphs)
      .at(-1)!;
    expect(accent.advance).toBe(0);
    expect(accent.dx).toBeLessThan(0);
    expect(facesOf('x̱')).toHaveLength(1);
    expect(facesOf('Ọ́kàfọ̀ x̱ʷ').length).toBeLessThanOrEqual(2);
  });

  it('stays on the line of its letter, and a syllable whole', () => {
    for (const syllable of ['ก๊', 'น้ำ', 'เก', 'ਸਿੰ', 'क्ष', 'ọ́']) {
      const lines = [...wrapText(syllable.repeat(100), BODY, 5_000)];
      expect(lines.length).toBeGreaterThan(2);
      const texts = lines.map(({ runs }) => runs.map(({ actual }) => actual).join(''));
      for (const text of texts) expect(text.length % syllable.normalize('NFC').length).toBe(0);
      for (const { width } of lines) expect(width).toBeLessThanOrEqual(5_000);
    }
  });

  it('is set however many follow one letter', () => {
    const [line] = wrapText(`x${'\u0301'.repeat(50_000)}`, BODY, 40_000);
    expect(glyphsOf(line!.runs).reduce((sum, { codePoints }) => sum + codePoints.length, 0)).toBe(50_001);
  });
});

describe('a bracket', () => {
  it('is mirrored once from right to left, in headings as in running text', () => {
    const [open, close] = ['(', ')'].map(
      (bracket) => library.base('regular').glyph(bracket.codePointAt(0)!)!.id,
    );
    for (const font of [BODY, HEADING]) {
      const line = (text: string) => [...wrapText(text, font, 40_000)].flatMap(({ runs }) => glyphsOf(runs));
      for (const text of ['الطابق (الأول)', 'חדר (שינה)']) {
        const brackets = line(text).filter(({ id }) => id === open || id === close);
        expect(brackets.map(({ id }) => id)).toEqual([open, close]);
        expect(brackets.map(({ codePoints }) => String.fromCodePoint(...codePoints))).toEqual([')', '(']);
      }
    }
  });
});

it('text of several scripts in one font is shaped script by script', () => {
  expect(idsOf('श्रीẋ́', BODY)).toEqual([...idsOf('श्री', BODY), ...idsOf('ẋ́', BODY)]);
});
