import type { ReportLook } from '../../../inspection/report/report-look.js';
import { contentsList } from '../contents-list.js';
import type { DocumentDefinition, StructureElement } from '../definition.js';
import { Bookmarks } from '../parts.js';
import { comparedSections } from './compared-sections.js';
import { comparisonCover } from './comparison-cover.js';
import type { ComparisonReport } from './comparison-report.js';
import { comparisonSummary } from './comparison-summary.js';
import { differencesPage } from './differences-page.js';

/**
 * Two reports side by side as a document definition: cover, what differs, contents, summary, then each area with the earlier report
 * on the left and the later on the right. Pure: the same two reports give an equal document, whenever it is made.
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
