import type { InspectionReport } from '../../../inspection/report/inspection-report.js';
import type { ReportLook } from '../../../inspection/report/report-look.js';
import { contentsList } from '../contents-list.js';
import type { Block, DocumentDefinition, StructureElement } from '../definition.js';
import { Bookmarks } from '../parts.js';
import { areaSections } from './area-sections.js';
import { changesBox } from './changes-box.js';
import { coverPage } from './cover-page.js';
import { declarationSection } from './declaration-section.js';
import { pointsToNoteSection } from './fact-tables.js';
import { summaryTable } from './summary-table.js';

/**
 * Builds the document definition of an inspection report: cover, contents, summary, Meters & Keys, rooms, External Areas,
 * declaration (contract section 6, rules 1 to 4). Pure: an equal report gives an equal document. Each drawing needs its own,
 * because the layout engine writes into it.
 */
export function inspectionDocument(report: InspectionReport, look: ReportLook): DocumentDefinition {
  const root: StructureElement = { role: 'Document', children: [] };
  const bookmarks = new Bookmarks();
  const cover = coverPage(report, root);
  const changes = changesBox(report, root);
  const [contentsMark, summaryMark] = [bookmarks.add('Contents'), bookmarks.add('Summary')];
  const front: StructureElement = { role: 'Sect', children: [] };
  root.children.push(front);
  const summary = summaryTable(report, summaryMark, root);
  const noted = pointsToNoteSection(report, bookmarks, root);
  const areas = areaSections(report, bookmarks, root);
  const declaration = declarationSection(report, bookmarks.add('Declaration'), root);
  const contents = contentsList(bookmarks, contentsMark, front, { onCover: true });
  const content: Block[] = [
    ...cover,
    ...changes,
    ...contents,
    ...summary,
    ...noted,
    ...areas,
    ...declaration,
  ];
  const head = report.cover.address ?? report.cover.title;
  return { content, head, footer: footerOf(report), look, structure: root, info: infoOf(report) };
}

const footerOf =
  ({ cover, reference, edition }: InspectionReport) =>
  (page: number, pages: number) => ({
    left: `Report date ${cover.reportDate}`,
    centre: `Page ${page} of ${pages}`,
    right: `${edition === undefined ? '' : `Edition ${edition} · `}Ref. ${reference}`,
  });

const LONGEST_TITLE = 300;

function infoOf({ cover, reportId, createdAt }: InspectionReport): DocumentDefinition['info'] {
  const address = cover.address?.replace(/\s+/g, ' ').slice(0, LONGEST_TITLE);
  return {
    title: address === undefined ? cover.title : `${cover.title}, ${address}`,
    ...(cover.company === undefined ? {} : { author: cover.company.slice(0, LONGEST_TITLE) }),
    keywords: reportId,
    language: 'en-GB',
    createdAt,
  };
}
