import { embeddingLevels, orderedRuns } from './bidi-order.js';
import { drawnText, hasRightToLeft, isBlank, staysTogether } from './characters.js';
import { isSequence, pictureOf, unitsOf } from './emoji.js';
import { hasKana } from './languages.js';
import { wordsOf } from './line-breaks.js';
import { type GlyphRun, segmentText, type TextFont } from './segment-text.js';

/** A line that is ready to be drawn; the width is in thousandths of the font size, without trailing blanks. */
export interface SetLine {
  readonly runs: readonly GlyphRun[];
  readonly width: number;
  /** Set for the first line of every paragraph but the first: the drawn text has no separator before it. */
  readonly begins?: true;
  /** Set for a right-to-left paragraph, whose trailing blanks extend to the left. */
  readonly rightToLeft?: true;
}

interface Word {
  readonly text: string;
  readonly runs: readonly GlyphRun[];
  readonly width: number;
  /** The width without trailing blanks. */
  readonly visible: number;
}

/** The most characters whose bidirectional order is computed at once. */
const LONGEST_ORDERED = 8_000;

/**
 * Wraps a text of any length to a width (thousandths of the font size), yielding line by line. No character is lost: line ends
 * in the text end lines, blanks stay, and a word wider than the line is broken between characters. Linear in the length of
 * the text.
 */
export function* wrapText(text: string, style: TextFont, width: number): Generator<SetLine, void> {
  const font: TextFont = hasKana(text) ? { ...style, japanese: true } : style;
  let begins = false;
  for (const paragraph of paragraphs(drawnText(text))) {
    for (const line of linesOf(paragraph, font, width)) {
      yield begins ? { ...line, begins } : line;
      begins = false;
    }
    begins = true;
  }
}

function* linesOf(paragraph: string, font: TextFont, width: number): Generator<SetLine, void> {
  if (!hasRightToLeft(paragraph)) yield* wrapParagraph(paragraph, font, width, simpleLine);
  else for (const piece of pieces(paragraph)) yield* wrapOrdered(piece, font, width);
}

function* paragraphs(text: string): Generator<string, void> {
  let start = 0;
  for (let end = 0; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    const ends = code === 0x0a || code === 0x0d || code === 0x2028 || code === 0x2029;
    if (!ends) continue;
    yield text.slice(start, end);
    if (code === 0x0d && text.charCodeAt(end + 1) === 0x0a) end += 1;
    start = end + 1;
  }
  yield text.slice(start);
}

function* pieces(paragraph: string): Generator<string, void> {
  for (let start = 0; start < paragraph.length;) {
    let end = Math.min(paragraph.length, start + LONGEST_ORDERED);
    const blank = paragraph.lastIndexOf(' ', end - 1);
    if (end < paragraph.length) {
      if (blank > start) end = blank + 1;
      else if ((paragraph.codePointAt(end - 1) as number) > 0xffff) end -= 1;
    }
    yield paragraph.slice(start, end);
    start = end;
  }
}

type MakeLine = (words: readonly Word[], start: number) => SetLine;

function* wrapOrdered(paragraph: string, font: TextFont, width: number): Generator<SetLine, void> {
  const { levels, rightToLeft } = embeddingLevels(paragraph);
  yield* wrapParagraph(paragraph, font, width, (words, start) => {
    const line = words.map((word) => word.text).join('');
    const runs = orderedRuns(line, levels.subarray(start, start + line.length), font);
    return { runs, width: visibleWidth(words), ...(rightToLeft ? { rightToLeft } : {}) };
  });
}

const simpleLine: MakeLine = (words) => {
  const runs: GlyphRun[] = [];
  for (const word of words) for (const run of word.runs) append(runs, run);
  return { runs, width: visibleWidth(words) };
};

function append(runs: GlyphRun[], run: GlyphRun): void {
  const last = runs.at(-1);
  if (
    last?.face !== run.face ||
    last.language !== run.language ||
    last.actual !== undefined ||
    run.actual !== undefined
  ) {
    runs.push({ ...run, glyphs: [...run.glyphs] });
    return;
  }
  for (const glyph of run.glyphs) last.glyphs.push(glyph);
  last.width += run.width;
}

function* wrapParagraph(
  paragraph: string,
  font: TextFont,
  width: number,
  makeLine: MakeLine,
): Generator<SetLine, void> {
  let words: Word[] = [];
  let used = 0;
  let start = 0;
  for (const word of fittingWords(paragraph, font, width)) {
    if (words.length > 0 && used + word.visible > width) {
      yield makeLine(words, start);
      start += words.reduce((length, { text }) => length + text.length, 0);
      words = [];
      used = 0;
    }
    words.push(word);
    used += word.width;
  }
  yield makeLine(words, start);
}

/** Yields the words of a paragraph; those wider than the line are cut into pieces that fit. */
function* fittingWords(paragraph: string, font: TextFont, width: number): Generator<Word, void> {
  for (const text of wordsOf(paragraph)) {
    if (text.length * LOWEST_CUT_WIDTH < width) {
      const word = measure(text, font);
      if (word.visible <= width) {
        yield word;
        continue;
      }
    }
    for (const part of cut(text, font, width)) yield measure(part, font);
  }
}

/** The character width at which a long word is assumed too wide for the line, so that it is cut without being shaped whole. */
const LOWEST_CUT_WIDTH = 60;

function measure(text: string, font: TextFont): Word {
  const runs = segmentText(text, font);
  let width = 0;
  for (const run of runs) width += run.width;
  return { text, runs, width, visible: width - blankWidth(text, runs) };
}

/** Returns the width of the trailing blanks, which are the last glyphs of a word. */
function blankWidth(text: string, runs: readonly GlyphRun[]): number {
  let blanks = 0;
  while (blanks < text.length && isBlank(text.charCodeAt(text.length - 1 - blanks))) blanks += 1;
  let width = 0;
  for (let run = runs.length - 1; run >= 0 && blanks > 0; run -= 1) {
    const { glyphs } = runs[run] as GlyphRun;
    for (let glyph = glyphs.length - 1; glyph >= 0 && blanks > 0; glyph -= 1, blanks -= 1) {
      width += glyphs[glyph]?.advance ?? 0;
    }
  }
  return width;
}

/** Cuts between syllables once the unshaped widths fill the line. Blanks may extend over its end. */
function* cut(text: string, font: TextFont, width: number): Generator<string, void> {
  let start = 0;
  let used = 0;
  for (const { at, advance, blank } of syllablesOf(text, font, width)) {
    const mayHang = blank && used < 2 * width;
    if (at > start && used + advance > width && !mayHang) {
      yield text.slice(start, at);
      start = at;
      used = 0;
    }
    used += advance;
  }
  yield text.slice(start);
}

interface Syllable {
  readonly at: number;
  readonly blank: boolean;
  advance: number;
}

/** Yields letters with their marks; one that is wider than the line is split. */
function* syllablesOf(text: string, font: TextFont, width: number): Generator<Syllable, void> {
  let open: Syllable | undefined;
  let previous = 0;
  let at = 0;
  for (const unit of unitsOf(text, font.library)) {
    const codePoint = unit.codePointAt(0) as number;
    const advance = advanceOf(unit, codePoint, font);
    if (open && staysTogether(previous, codePoint) && open.advance + advance <= width)
      open.advance += advance;
    else {
      if (open) yield open;
      open = { at, advance, blank: isBlank(codePoint) };
    }
    previous = codePoint;
    at += unit.length;
  }
  if (open) yield open;
}

function advanceOf(unit: string, codePoint: number, { library, weight }: TextFont): number {
  const picture = isSequence(unit) ? pictureOf(unit, library) : undefined;
  if (picture) return picture.advance;
  const letters = library.lettersFor(codePoint, weight);
  if (letters)
    return letters.reduce(
      (sum, letter) => sum + (library.faceFor(letter, weight)?.glyph(letter)?.advance ?? 0),
      0,
    );
  const glyph = library.faceFor(codePoint, weight)?.glyph(codePoint) ?? library.replacement(weight).glyph;
  return glyph.advance;
}

function visibleWidth(words: readonly Word[]): number {
  let width = 0;
  for (const word of words) width += word.width;
  const last = words.at(-1);
  return last ? width - last.width + last.visible : 0;
}
