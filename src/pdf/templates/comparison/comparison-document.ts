import type { ReportLook } from '../../../inspection/report/report-look.js';
import { contentsList } from '../contents-list.js';
import { child, type Block, type DocumentDefinition, type StructureElement } from '../definition.js';
import { documentInfo } from '../document-info.js';
import { BODY } from '../look.js';
import { Bookmarks, heading, paragraph, type Bookmark } from '../parts.js';
import { SIGNATURES_KEEP, signatures } from '../signatures.js';
import { changedLists } from './changed-lists.js';
import { changedPage } from './changed-page.js';
import { comparedSections } from './compared-sections.js';
import { comparisonCover } from './comparison-cover.js';
import type { ComparisonReport } from './comparison-report.js';
import { comparisonSummary } from './comparison-summary.js';

/**
 * Builds the document definition of two reports side by side: cover, changes, contents, summary, then each area with the
 * earlier report on the left and the later on the right, and a sheet for the parties. Pure: the same two reports always give an equal document.
 */
export function comparisonDocument(report: ComparisonReport, look: ReportLook): DocumentDefinition {
  const root: StructureElement = { role: 'Document', children: [] };
  const bookmarks = new Bookmarks();
  const cover = comparisonCover(report, root);
  const [changedPart, contentsPart, summaryPart] = [
    child(root, 'Sect'),
    child(root, 'Sect'),
    child(root, 'Sect'),
  ];
  const own = bookmarks.add('Changed');
  const lists = changedLists(report).map((list) => [list, bookmarks.add(list.title, own.id)] as const);
  const [contentsMark, summaryMark] = [bookmarks.add('Contents'), bookmarks.add('Summary')];
  const { blocks: areas, places } = comparedSections(report, bookmarks, root);
  const closing = closingSheet(report, bookmarks.add('Comments and signatures'), root);
  const changed = changedPage(report, { own, lists, places }, changedPart);
  const contents = contentsList(bookmarks, contentsMark, contentsPart, { inFlow: true });
  const summary = comparisonSummary(report, { own: summaryMark, places }, summaryPart);
  const content = [...cover, ...changed, ...contents, ...summary, ...areas, ...closing];
  const head = report.cover.address ?? report.cover.title;
  return { content, head, footer: footerOf(report), look, structure: root, info: documentInfo(report) };
}

/** Characters that fit to the left of the page's number. */
const MOST_LEFT = 52;

/** Prints the days of both inspections and both references; long ones by side. */
function footerOf({ sides: { before, after } }: ComparisonReport): DocumentDefinition['footer'] {
  const [one, other] = [before, after].map(({ name, cover }) =>
    [name.label, shortDays(cover.inspected)].filter(Boolean).join(' '),
  ) as [string, string];
  const together = `${one} · ${other}`;
  const [left, right] =
    together.length <= MOST_LEFT
      ? [together, `Ref. ${before.reference} · ${after.reference}`]
      : [`${one} · ${before.reference}`, `${other} · ${after.reference}`];
  return (page, pages) => ({ left, centre: `Page ${page} of ${pages}`, right });
}

const PERIOD = /^(\d+) (\w+) (\d+) – (\d+) (\w+) (\d+)$/;

/** Returns `24–26 Oct 2026` for `24 Oct 2026 – 26 Oct 2026`. */
function shortDays(days: string | undefined): string | undefined {
  const [, first, month, year, last, lastMonth, lastYear] = PERIOD.exec(days ?? '') ?? [];
  if (first === undefined || year !== lastYear) return days;
  return month === lastMonth
    ? `${first}–${last} ${month} ${year}`
    : `${first} ${month} – ${last} ${lastMonth} ${year}`;
}

const DECLARATION =
  'This comparison makes no findings of its own: what the two inspections recorded stands here in the words of each.';
const SIGNED = 'By signing, each party confirms that they have read this comparison.';

/** Builds the last sheet: the comments of the parties and their signatures (contract section 6, rules 4 and 15). */
function closingSheet({ signatories }: ComparisonReport, own: Bookmark, root: StructureElement): Block[] {
  const parent = child(root, 'Sect');
  return [
    heading({ bookmark: own, parent, keep: SIGNATURES_KEEP, pageBreak: true }),
    paragraph(parent, DECLARATION, BODY),
    ...signatures(signatories, SIGNED, parent),
  ];
}
