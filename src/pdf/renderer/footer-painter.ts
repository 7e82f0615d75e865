import type { FooterTexts } from '../templates/definition.js';
import { FOOTER, PAGE, PALETTE } from '../templates/look.js';
import { textFont } from './layout.js';
import type { PdfDocument } from './pdf-document.js';
import { colorOperands, drawRuns } from './text/draw-runs.js';
import type { FontLibrary } from './text/font-library.js';
import { segmentText } from './text/segment-text.js';

/** The three texts under a hairline at the foot of a page: an artifact, no part of the structure. */
export class FooterPainter {
  constructor(
    private readonly document: PdfDocument,
    private readonly library: FontLibrary,
  ) {}

  draw({ left, centre, right }: FooterTexts): void {
    const { width, height } = this.document.page;
    const baseline = height - PAGE.footerBaseline;
    const rule = `${colorOperands(PALETTE.hairline)} rg ${PAGE.left} ${baseline - 13} ${width - PAGE.left - PAGE.right} 0.5 re f`;
    const texts = [
      this.text(left, PAGE.left, 0, baseline),
      this.text(centre, width / 2, 0.5, baseline),
      this.text(right, width - PAGE.right, 1, baseline),
    ];
    this.document.addContent(`/Artifact <</Type /Pagination>> BDC\n${rule}\n${texts.join('\n')}\nEMC`);
  }

  private text(value: string, x: number, share: number, baseline: number): string {
    const runs = segmentText(value, textFont(this.library, FOOTER));
    const width = (runs.reduce((sum, run) => sum + run.width, 0) * FOOTER.size) / 1000;
    return drawRuns(this.document, runs, x - share * width, baseline, FOOTER.size, FOOTER.color);
  }
}
