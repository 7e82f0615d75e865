import { MARK, MARK_GROUND } from '../../templates/look.js';
import type { PdfDocument } from '../file/pdf-document.js';
import { colorOperands, drawRuns } from '../text/draw-runs.js';
import type { FontLibrary } from '../text/font-library.js';
import { segmentText } from '../text/segment-text.js';
import { textFont } from './layout.js';

/** Points between the edge of the page and the mark, and around its word. */
const [EDGE, ABOVE, BESIDE] = [6, 3, 16];
/** Of the baseline above the lower edge of the word's room, as a share of its size. */
const BASELINE = 0.22;

/** A word on a coloured ground in the middle of a page's upper margin: an artifact, no part of the structure. */
export function drawMark(document: PdfDocument, library: FontLibrary, word: string): void {
  const { width } = document.page;
  const runs = segmentText(word, textFont(library, MARK));
  const length = (runs.reduce((sum, run) => sum + run.width, 0) * MARK.size) / 1000;
  const left = (width - length) / 2;
  const [high, bottom] = [MARK.size + 2 * ABOVE, EDGE + 2 * ABOVE + MARK.size];
  const ground = `${colorOperands(MARK_GROUND)} rg ${left - BESIDE} ${EDGE} ${length + 2 * BESIDE} ${high} re f`;
  const baseline = bottom - ABOVE - BASELINE * MARK.size;
  const text = drawRuns(document, runs, left, baseline, MARK.size, MARK.color);
  document.addContent(`/Artifact <</Type /Pagination>> BDC\n${ground}\n${text}\nEMC`);
}
