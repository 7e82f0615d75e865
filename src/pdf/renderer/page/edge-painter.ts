import { cutText } from '../../../common/texts/cut-text.js';
import type { FooterTexts } from '../../templates/definition.js';
import { FOOTER, MARK, MARK_GROUND, PAGE, PALETTE } from '../../templates/look.js';
import type { PdfDocument } from '../file/pdf-document.js';
import type { FontLibrary } from '../text/font-library.js';
import { type GlyphRun, segmentText } from '../text/segment-text.js';
import { type SetLine, wrapText } from '../text/wrap-text.js';
import { colorOperands, drawRuns } from './draw-runs.js';
import { textFont } from './set-lines.js';

const WIDTH = PAGE.width - PAGE.left - PAGE.right;
/** The share of the running head that its left text may take beside one on the right. */
const LEFT_SHARE = 0.58;
const GAP = 16;
/** Height of the cover's band, of which a printer's margin leaves some. */
const BAND = 20;
/** Characters of a text that are set before it is cut to a line. */
const LONGEST = 300;

/** The first line of a text, its width in points, and an ellipsis if the text is longer. */
interface CutText {
  readonly line: SetLine;
  readonly width: number;
  readonly ellipsis?: readonly GlyphRun[];
}

/** Draws the running head, and the three texts under a hairline at the foot of a page: artifacts outside the structure. */
export class EdgePainter {
  constructor(
    private readonly document: PdfDocument,
    private readonly library: FontLibrary,
  ) {}

  /** Draws a band in the report's colour across the head of the page. */
  drawBand(color: string): void {
    const { width } = this.document.page;
    const marks = '/Artifact <</Type /Layout>> BDC';
    this.document.addContent(`${marks}\n${colorOperands(color)} rg 0 0 ${width} ${BAND} re f\nEMC`);
  }

  drawFooter({ left, centre, right }: FooterTexts): void {
    const { width, height } = this.document.page;
    const baseline = height - PAGE.footerBaseline;
    const rule = `${colorOperands(PALETTE.hairline)} rg ${PAGE.left} ${baseline - 13} ${width - PAGE.left - PAGE.right} 0.5 re f`;
    const texts = [
      this.text(left, PAGE.left, 0, baseline),
      this.text(centre, width / 2, 0.5, baseline),
      this.text(right, width - PAGE.right, 1, baseline),
    ];
    this.document.addContent(
      `/Artifact <</Type /Pagination /Subtype /Footer>> BDC\n${rule}\n${texts.join('\n')}\nEMC`,
    );
  }

  /**
   * Draws one line above the page; longer texts are cut with an ellipsis. A right-to-left address is at the right edge, and
   * the area then at the left.
   */
  drawHead(address: string, area: string): void {
    const room = area === '' ? WIDTH : WIDTH * LEFT_SHARE - GAP;
    const [first, second] = [this.cut(address, room), this.cut(area, WIDTH * (1 - LEFT_SHARE))];
    const turned = first?.line.rightToLeft === true;
    const texts = [
      first ? this.placed(first, turned ? WIDTH - first.width : 0) : '',
      second ? this.placed(second, turned ? 0 : WIDTH - second.width) : '',
    ];
    const marks = '/Artifact <</Type /Pagination /Subtype /Header>> BDC';
    this.document.addContent(`${marks}\n${texts.join('\n')}\nEMC`);
  }

  private cut(value: string, room: number): CutText | undefined {
    const font = textFont(this.library, FOOTER);
    const ellipsis = segmentText('…', font);
    const dots = widthOf(ellipsis);
    const flat = cutText(value, LONGEST).replace(/\s+/g, ' ').trim();
    const lines = wrapText(flat, font, (room * 1000) / FOOTER.size - dots);
    const first = lines.next();
    if (first.done || first.value.runs.length === 0) return undefined;
    const whole = lines.next().done === true && value.length <= LONGEST;
    const width = ((first.value.width + (whole ? 0 : dots)) * FOOTER.size) / 1000;
    return { line: first.value, width, ...(whole ? {} : { ellipsis }) };
  }

  /** Draws a text with the ellipsis at its end in reading direction. */
  private placed({ line, width, ellipsis }: CutText, indent: number): string {
    const draw = (runs: readonly GlyphRun[], x: number) =>
      drawRuns(this.document, runs, x, PAGE.headBaseline, FOOTER.size, FOOTER.color);
    const x = PAGE.left + indent;
    if (!ellipsis) return draw(line.runs, x);
    const own = (line.width * FOOTER.size) / 1000;
    const endsLeft = line.rightToLeft === true;
    return `${draw(line.runs, endsLeft ? x + width - own : x)}\n${draw(ellipsis, endsLeft ? x : x + own)}`;
  }

  private text(value: string, x: number, share: number, baseline: number): string {
    const runs = segmentText(value, textFont(this.library, FOOTER));
    const width = (widthOf(runs) * FOOTER.size) / 1000;
    return drawRuns(this.document, runs, x - share * width, baseline, FOOTER.size, FOOTER.color);
  }
}

const widthOf = (runs: readonly { readonly width: number }[]): number =>
  runs.reduce((sum, run) => sum + run.width, 0);

/** Points between the edge of the page and the mark, and around the mark's word. */
const [EDGE, ABOVE, BESIDE] = [6, 3, 16];
/** Height of the baseline above the lower edge of the word, as a share of its size. */
const BASELINE = 0.22;

/** Draws a word on a coloured ground in the middle of a page's upper margin: an artifact outside the structure. */
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
