import type { StructureElement } from '../../templates/definition.js';
import type { PdfDocument } from '../file/pdf-document.js';
import type { GlyphRun } from '../text/segment-text.js';
import { drawRuns } from './draw-runs.js';
import type { StructureTree } from './structure-tree.js';

export interface TaggedText {
  readonly runs: readonly GlyphRun[];
  /** Start of the text in points from the left; the baseline is in points from the top. */
  readonly x: number;
  readonly baseline: number;
  readonly size: number;
  readonly color: string;
}

/**
 * Draws runs like `drawRuns` within open content of an element, which stays open. Words of another language, and words that
 * read differently from their glyphs, become elements of their own.
 */
export function drawTaggedRuns(
  document: PdfDocument,
  structure: StructureTree,
  element: StructureElement,
  { runs, x, baseline, size, color }: TaggedText,
): string {
  const parts: string[] = [];
  let left = x;
  let plain: GlyphRun[] = [];
  const put = (some: readonly GlyphRun[]): string => {
    const drawn = drawRuns(document, some, left, baseline, size, color);
    left += some.reduce((sum, { width }) => sum + width, 0) * (size / 1000);
    return drawn;
  };
  for (const run of runs) {
    const { language, actual, ...glyphs } = run;
    if (language === undefined && actual === undefined) {
      plain.push(run);
      continue;
    }
    if (plain.length > 0) parts.push(put(plain));
    plain = [];
    parts.push(`EMC\n${structure.beginWords(element, run)}`, put([glyphs]), 'EMC', structure.begin(element));
  }
  if (plain.length > 0 || parts.length === 0) parts.push(put(plain));
  return parts.join('\n');
}

/** A whole number in a text, with the points from the left where it begins and ends. */
export interface LinkedNumber {
  readonly digits: string;
  readonly element: StructureElement;
  readonly left: number;
  readonly right: number;
}

/**
 * Draws runs like `drawTaggedRuns`, each number in them as content of a `Link` of its own. `onNumber` is called for each.
 */
export function drawLinkedNumbers(
  document: PdfDocument,
  structure: StructureTree,
  element: StructureElement,
  { runs, x, baseline, size, color }: TaggedText,
  onNumber: (number: LinkedNumber) => void,
): string {
  const parts: string[] = [];
  let left = x;
  for (const { digits, ...run } of numbersApart(runs)) {
    const right = left + run.width * (size / 1000);
    const drawn = drawRuns(document, [run], left, baseline, size, color);
    if (digits === '') parts.push(drawn);
    else {
      const link: StructureElement = { role: 'Link', children: [] };
      parts.push(`EMC\n${structure.beginWithin(element, link)}`, drawn, 'EMC', structure.begin(element));
      onNumber({ digits, element: link, left, right });
    }
    left = right;
  }
  return parts.join('\n');
}

/** Splits runs between digits and other characters. */
function numbersApart(runs: readonly GlyphRun[]): (GlyphRun & { digits: string })[] {
  const parts: (GlyphRun & { digits: string })[] = [];
  for (const { glyphs, ...run } of runs) {
    let open: (typeof parts)[number] | undefined;
    for (const glyph of glyphs) {
      const digit = run.actual === undefined ? digitOf(glyph.codePoints) : '';
      if (!open || (open.digits === '') !== (digit === ''))
        parts.push((open = { ...run, glyphs: [], width: 0, digits: '' }));
      open.glyphs.push(glyph);
      open.width += glyph.advance;
      open.digits += digit;
    }
  }
  return parts;
}

const digitOf = ([codePoint = 0, ...others]: readonly number[]): string =>
  others.length === 0 && codePoint >= 0x30 && codePoint <= 0x39 ? String.fromCharCode(codePoint) : '';
