import type { StructureElement } from '../../templates/definition.js';
import type { PdfDocument } from '../file/pdf-document.js';
import type { GlyphRun } from '../text/segment-text.js';
import { drawRuns } from './draw-runs.js';
import type { StructureTree } from './structure-tree.js';

interface TaggedText {
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
