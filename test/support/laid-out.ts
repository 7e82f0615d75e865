import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReportInput } from '../../src/inspection/report/report-input.js';
import { FileSink } from '../../src/pdf/renderer/file/file-sink.js';
import { PdfDocument } from '../../src/pdf/renderer/file/pdf-document.js';
import type { LaidOutPage } from '../../src/pdf/renderer/file/pdfmake-parts.js';
import { endOf, footOf } from '../../src/pdf/renderer/page/fill-page.js';
import { layOut } from '../../src/pdf/renderer/page/layout.js';
import type { PlacedLine } from '../../src/pdf/renderer/page/placed-line.js';
import { FontLibrary } from '../../src/pdf/renderer/text/font-library.js';
import { templateNamed } from '../../src/pdf/templates.js';
import { PAGE, REMARK_LABEL } from '../../src/pdf/templates/look.js';
import type { Contents, SourceDetails } from '../../src/pdf/templates/template.js';
import { NOW, reportInput } from './report-input.js';

const library = new FontLibrary();

/** The pages of a report as laid out, without the page on how to check it. */
export function laidOut(
  contents: Contents<SourceDetails>,
  pictures: ReadonlyMap<string, string>,
): readonly LaidOutPage[] {
  const definition = templateNamed(contents.details.type).build(contents).document({ withLogo: false });
  const folder = mkdtempSync(join(tmpdir(), 'laid-out-'));
  const sink = new FileSink(join(folder, 'report.pdf'));
  try {
    return layOut(definition, PdfDocument.create(sink, pictures, definition.info), library).pages;
  } finally {
    sink.abandon();
    rmSync(folder, { recursive: true });
  }
}

/** The pages of an inspection report with these parts, as laid out. */
export const pagesOfReport = (
  parts: Partial<ReportInput>,
  pictures: ReadonlyMap<string, string>,
): readonly LaidOutPage[] =>
  laidOut(
    {
      details: { type: 'inspection', ...{ sessionId: 'laid-out' } },
      now: NOW,
      reports: [reportInput(parts)],
    },
    pictures,
  );

/**
 * The empty feet of pages as shares of what a page holds: all but the cover, which is one composition, and the last page,
 * with which the report ends.
 */
export const emptyFeet = (pages: readonly LaidOutPage[]): number[] =>
  pages.slice(1, -1).map((page) => footOf(page) / (PAGE.height - PAGE.top - PAGE.bottom));

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** The texts of a page, a string for each line of a text. */
export const linesOn = ({ items }: LaidOutPage): string[] =>
  items.flatMap(({ item }) => {
    const placed = item.placed as PlacedLine | undefined;
    const glyphs = placed?.line.runs.flatMap((run) => run.glyphs) ?? [];
    return placed ? [String.fromCodePoint(...glyphs.flatMap(({ codePoints }) => codePoints))] : [];
  });

/** The heading, or the label of a remark, after which nothing stands on a page. */
export function titleAtFoot({ items }: LaidOutPage): string | undefined {
  const last = items.toSorted((one, other) => endOf(one.item) - endOf(other.item)).at(-1)?.item;
  const { set } = (last?.placed as PlacedLine | undefined) ?? {};
  return /^H\d$/.test(set?.element?.role ?? '') || set?.style === REMARK_LABEL ? set?.value : undefined;
}

/** The number of rules and frames on a page. */
export const rulesOn = ({ items }: LaidOutPage): number =>
  items.filter(({ type, item }) => type === 'vector' && !('photograph' in item)).length;

/** True if a page has a photograph, an empty place for one, or another picture. */
export const hasPicture = ({ items }: LaidOutPage): boolean =>
  items.some(({ type, item }) => type === 'image' || 'photograph' in item || 'thumbnail' in item);
