import { computedMs } from '../../../../test/support/computed.js';
import { FontLibrary } from './font-library.js';
import { type GlyphRun, segmentText, type TextFont } from './segment-text.js';
import { type SetLine, wrapText } from './wrap-text.js';

const font: TextFont = { library: new FontLibrary(), weight: 'regular', kern: false };
const WIDTH = 40_000;

const charactersOf = (runs: readonly GlyphRun[]): string =>
  runs
    .map(
      (run) => run.actual ?? run.glyphs.map(({ codePoints }) => String.fromCodePoint(...codePoints)).join(''),
    )
    .join('');
const wrap = (text: string, width = WIDTH): SetLine[] => [...wrapText(text, font, width)];
const lines = (text: string, width = WIDTH): string[] =>
  wrap(text, width).map(({ runs }) => charactersOf(runs));

describe('setting a text', () => {
  it('keeps every character, blanks included', () => {
    const text = '  two leading, a  double, ' + 'some words and more of them '.repeat(50) + ' trailing  ';
    expect(lines(text).join('')).toBe(text);
  });

  it('fills no line beyond its width', () => {
    for (const { width } of wrap(`${'word '.repeat(500)}${'x'.repeat(500)}`))
      expect(width).toBeLessThanOrEqual(WIDTH);
  });

  it('ends lines where the text does, in every spelling of a line end', () => {
    expect(lines('a\nb\r\nc\rd\u2028e\n\nf')).toEqual(['a', 'b', 'c', 'd', 'e', '', 'f']);
  });

  it('breaks a word that is wider than the line between characters, never inside one', () => {
    const word = '😀'.repeat(200);
    const set = lines(word);
    expect(set.length).toBeGreaterThan(1);
    expect(set.join('')).toBe(word);
  });

  it('breaks a right-to-left text without blanks, however long it is, never inside a character', () => {
    for (const letters of ['ש', 'שש']) {
      const set = lines(letters + '😀'.repeat(10_000)).join('');
      expect(set.replaceAll('😀', '')).toBe(letters);
      expect(set).toHaveLength(letters.length + 20_000);
    }
  });

  it('breaks Chinese between characters, and English at blanks only', () => {
    expect(lines('漢字'.repeat(40)).map((line) => line.length)).toEqual([40, 40]);
    expect(lines('wherever you are', 5_000)).toEqual(['wherever ', 'you are']);
  });

  it('breaks no short Chinese name, and a longer text after the end of a clause too', () => {
    for (const width of [3_500, 4_000, 5_000])
      expect(lines('Flat 北京路 12', width).join('|')).toContain('北京路');
    expect(lines('厨房很干净，窗户没有坏。', 7_000)).toEqual(['厨房很干净，', '窗户没有坏。']);
  });

  it('says of a paragraph that runs from right to left that it does', () => {
    const set = wrap('קומה ראשונה\nfirst floor');
    expect(set.map(({ rightToLeft }) => rightToLeft)).toEqual([true, undefined]);
  });

  it('sets composed and decomposed letters alike', () => {
    expect(lines('e\u0301')).toEqual(['é']);
  });

  it('makes no ligature of two letters', () => {
    const [run] = segmentText('official flag', { ...font, kern: true });
    expect(run?.glyphs).toHaveLength('official flag'.length);
  });

  it('puts right-to-left words in their order on the line, brackets mirrored, numbers as they are', () => {
    expect(lines('אב (12) גד')).toEqual(['דג )12( בא']);
    expect(lines('No. 7 שלום (east)')).toEqual(['No. 7 םולש (east)']);
  });

  it('joins Arabic letters, and can still tell them apart when they share a glyph', () => {
    const [run] = wrap('بن')[0]?.runs ?? [];
    expect(run?.face.name).toBe('NotoSansArabic-Regular');
    expect(charactersOf(run ? [run] : [])).toBe('نب');
    expect(run?.glyphs[1]?.id).not.toBe(run?.face.glyph(0x628)?.id);
  });

  it('falls back by character, and marks what no font has', () => {
    const faces = wrap('aЖ漢한👍')[0]?.runs.map(({ face }) => face.name);
    expect(faces).toEqual([
      'SourceSans3-Regular',
      'NotoSansSC-Regular',
      'NotoSansKR-Regular',
      'NotoEmoji-Regular',
    ]);
    expect(lines('\ue123\u0007')).toEqual(['\ufffd\ufffd']);
  });

  it.each(['x', 'word ', '漢', ' ', 'שלום ', '👍🏽', '😀\u200d'])(
    'is linear: ten times the text takes about ten times the time, of %j',
    async (part) => {
      const wrapped = (times: number) => {
        const text = part.repeat(times);
        return () => {
          for (const { width } of wrapText(text, font, WIDTH)) if (width > WIDTH) throw new Error('too wide');
        };
      };
      const enough = Math.max(await computedMs(wrapped(10_000)), 4) * 40;
      expect(await computedMs(wrapped(100_000), enough)).toBeLessThan(enough);
    },
  );
});
