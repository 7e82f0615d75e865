import type { ReportLook } from '../../../inspection/report/report-look.js';
import { contentsList } from '../contents-list.js';
import { dataTable } from '../data-table.js';
import { type Block, child, type DocumentDefinition, type StructureElement } from '../definition.js';
import { BODY } from '../look.js';
import { type Bookmark, Bookmarks, heading, KEEP_TEXT, paragraph } from '../parts.js';
import { comparedSections } from './compared-sections.js';
import { comparisonCover } from './comparison-cover.js';
import type { ComparisonReport } from './comparison-report.js';
import { comparisonSummary } from './comparison-summary.js';
import { type Difference, differencesOf } from './differences.js';

/**
 * Builds the document definition of two reports side by side: cover, differences, contents, summary, then each area with the
 * earlier report on the left and the later on the right. Pure: the same two reports always give an equal document.
 */
export function comparisonDocument(report: ComparisonReport, look: ReportLook): DocumentDefinition {
  const root: StructureElement = { role: 'Document', children: [] };
  const bookmarks = new Bookmarks();
  const cover = comparisonCover(report, root);
  const differences = differencesPage(report, bookmarks.add('What Differs'), root);
  const [contentsMark, summaryMark] = [bookmarks.add('Contents'), bookmarks.add('Summary')];
  const front: StructureElement = { role: 'Sect', children: [] };
  root.children.push(front);
  const summary = comparisonSummary(report, summaryMark, root);
  const areas = comparedSections(report, bookmarks, root);
  const contents = contentsList(bookmarks, contentsMark, front);
  const content = [...cover, ...differences, ...contents, ...summary, ...areas];
  const head = report.cover.address ?? report.cover.title;
  return { content, head, footer: footerOf(report), look, structure: root, info: infoOf(report) };
}

function footerOf({ sides: { before, after } }: ComparisonReport): DocumentDefinition['footer'] {
  const dates = [before, after].map(({ name, cover }) => `${name.label} ${cover.reportDate}`);
  const [left, right] = [dates.join(' · '), `Ref. ${before.reference} · ${after.reference}`];
  return (page, pages) => ({ left, centre: `Page ${page} of ${pages}`, right });
}

const LONGEST_TITLE = 300;

function infoOf({ cover, reportId, createdAt }: ComparisonReport): DocumentDefinition['info'] {
  const address = cover.address?.replace(/\s+/g, ' ').slice(0, LONGEST_TITLE);
  return {
    title: address === undefined ? cover.title : `${cover.title}, ${address}`,
    ...(cover.company === undefined ? {} : { author: cover.company.slice(0, LONGEST_TITLE) }),
    keywords: reportId,
    language: 'en-GB',
    createdAt,
  };
}

const INTRODUCTION =
  'The points on which the two reports differ, in the words of each report and with the numbers of its own photographs. ' +
  'The last two columns are for the comments of the parties. The list makes no judgement.';
const NOTHING_DIFFERS = 'The two reports have the same areas and agree on items, readings, keys and alarms.';
/** The most rows of differences, which are also printed under their areas. A line counts the others. */
const MOST_ROWS = 1_000;
const VIEWS = ['Landlord/agent', 'Tenant'];

/** Builds the page after the cover: the differences in both wordings, with a column for the comments of each party. */
function differencesPage(report: ComparisonReport, own: Bookmark, root: StructureElement): Block[] {
  const parent = child(root, 'Sect');
  const title = heading({ bookmark: own, parent, keep: 3 * KEEP_TEXT, pageBreak: true });
  const differences = differencesOf(report);
  if (differences.length === 0) return [title, paragraph(parent, NOTHING_DIFFERS, BODY)];
  const introduction = paragraph(parent, INTRODUCTION, BODY, [0, 0, 0, 8]);
  const { before, after } = report.sides;
  const table = dataTable<Difference>(
    differences.slice(0, MOST_ROWS),
    [
      { title: 'Area', width: '*', value: ({ area }) => area, note: ({ thing }) => thing || undefined },
      { title: before.name.label, width: 104, value: (row) => row.before },
      { title: after.name.label, width: 104, value: (row) => row.after },
      ...VIEWS.map((view) => ({ title: view, width: 68, value: () => '' })),
    ],
    parent,
    'views',
  );
  const more = differences.length - MOST_ROWS;
  const rest = `${more} more are listed under their areas.`;
  return [title, introduction, table, ...(more > 0 ? [paragraph(parent, rest, BODY)] : [])];
}
