import { GRADES } from '../../../inspection/facts/grades.js';
import { GRAVITIES, gravityOf } from '../../../inspection/report/gravity.js';
import type {
  EditionChange,
  FactInArea,
  InspectionReport,
} from '../../../inspection/report/inspection-report.js';
import type { ReportLook } from '../../../inspection/report/report-look.js';
import { contentsList } from '../contents-list.js';
import { labelledValues } from '../cover-parts.js';
import { dataTable, tableKeep, type Column } from '../data-table.js';
import { child, type Block, type DocumentDefinition, type StructureElement } from '../definition.js';
import { documentInfo } from '../document-info.js';
import { printedWord } from '../fact-words.js';
import { gradeColumns, photographsColumn } from '../grade-cells.js';
import { BODY, SUBHEADING } from '../look.js';
import {
  Bookmarks,
  KEEP_TEXT,
  SUBHEADING_HEIGHT,
  heading,
  NAME_HEIGHT,
  nameHeading,
  paragraph,
  type Bookmark,
} from '../parts.js';
import { SIGNATURES_KEEP, signatures } from '../signatures.js';
import { actionsSection } from './actions-table.js';
import { areaSections } from './area-sections.js';
import { atAGlance, hasGlance } from './at-a-glance.js';
import { coverPage } from './cover-page.js';
import { frontMatterSection, hasFrontMatter } from './front-matter-section.js';
import { areaLinks, type AreaLinks } from './section-links.js';
import { summaryTable } from './summary-table.js';

/**
 * Builds the document definition of an inspection report: cover, contents, At a glance, front matter, summary, Points to
 * Note, Meters & Keys, rooms, External Areas, actions, glossary, declaration (contract section 6, rules 1 to 4). Pure: an equal report gives an equal document. Each drawing needs its own,
 * because the layout engine writes into it.
 */
export function inspectionDocument(report: InspectionReport, look: ReportLook): DocumentDefinition {
  const root: StructureElement = { role: 'Document', children: [] };
  const bookmarks = new Bookmarks();
  const cover = coverPage(report, root);
  const changes = changesBox(report, root);
  const contentsMark = bookmarks.add('Contents');
  const glanceMark = hasGlance(report) ? bookmarks.add('At a glance') : undefined;
  const frontMark = hasFrontMatter(report) ? bookmarks.add('About this inspection') : undefined;
  const summaryMark = bookmarks.add('Summary');
  const notedMark = report.pointsToNote.length > 0 ? bookmarks.add('Points to Note') : undefined;
  // Sections before the areas link to them, so that they are built after them and stand in the tree before them.
  const front = child(root, 'Sect');
  const before = bookmarks.all.length;
  const areas = areaSections(report, bookmarks, root);
  const links = areaLinks(bookmarks.all.slice(before));
  const actions = actionsSection(report, { bookmarks, links }, root);
  const glossary = glossarySection(report, bookmarks, root);
  const declaration = declarationSection(report, bookmarks.add('Declaration'), root);
  const content: Block[] = [
    ...cover,
    ...changes,
    ...contentsList(
      bookmarks,
      contentsMark,
      front,
      changes.length > 0 ? { inFlow: true } : { onCover: true },
    ),
    ...(glanceMark ? atAGlance(report, glanceMark, front) : []),
    ...(frontMark ? frontMatterSection(report, frontMark, front) : []),
    ...summaryTable(report, { own: summaryMark, links }, front),
    ...(notedMark ? pointsToNoteSection(report, { own: notedMark, links }, front) : []),
    ...areas,
    ...actions,
    ...glossary,
    ...declaration,
  ];
  const head = report.cover.address ?? report.cover.title;
  return { content, head, footer: footerOf(report), look, structure: root, info: documentInfo(report) };
}

const footerOf =
  ({ cover, reference, edition }: InspectionReport) =>
  (page: number, pages: number) => ({
    left: `Report date ${cover.reportDate}`,
    centre: `Page ${page} of ${pages}`,
    right: `${edition === undefined ? '' : `Edition ${edition} · `}Ref. ${reference}`,
  });

const COLUMNS: readonly Column<EditionChange>[] = [
  { title: 'What', width: 92, value: ({ what }) => what },
  { title: 'Was', width: '*', value: ({ was }) => was },
  { title: 'Is now', width: '*', value: ({ now }) => now },
  { title: 'Reason', width: 96, value: ({ reason }) => reason },
  { title: 'Date', width: 56, value: ({ date }) => date },
];

/** Lists what a further edition changed, under its cover (contract section 6). */
function changesBox({ changes }: InspectionReport, root: StructureElement): Block[] {
  if (changes === undefined) return [];
  const section = child(root, 'Sect');
  return [
    {
      text: '',
      set: { value: 'Changed in this edition', style: SUBHEADING, element: child(section, 'H2') },
      margin: [0, 16, 0, 6],
      keep: SUBHEADING_HEIGHT + tableKeep(changes, COLUMNS),
    },
    dataTable(changes, COLUMNS, section, { layout: 'box' }),
  ];
}

const FOUND = 'This report records the property as found at the inspection.';
const FOUND_BY_TENANT =
  'This report records the property as the tenant found and photographed it in a guided self inspection.';
const DECLARATION = 'Each photograph is shown in full unless noted, with its own date and time (UK time).';
const SIGNED =
  'By signing, each party confirms that they have read the report. Any disagreement should be noted in writing and ' +
  'attached to it.';

/** Builds the declaration, the box for the tenant's comments and the signature lines (contract section 6, rule 4). */
function declarationSection(
  { declaration, cover: { guided } }: InspectionReport,
  own: Bookmark,
  root: StructureElement,
): Block[] {
  const parent = child(root, 'Sect');
  const { withdrawn } = declaration;
  return [
    heading({ bookmark: own, parent, keep: SIGNATURES_KEEP }),
    paragraph(parent, `${guided ? FOUND_BY_TENANT : FOUND} ${DECLARATION}`, BODY),
    ...(withdrawn === undefined ? [] : [paragraph(parent, withdrawnNote(withdrawn), BODY)]),
    ...signatures(declaration, SIGNED, parent),
  ];
}

const withdrawnNote = (count: number): string =>
  count === 1
    ? '1 photograph was withdrawn. It is stored but not printed.'
    : `${count} photographs were withdrawn. They are stored but not printed.`;

const NOTED: readonly Column<FactInArea>[] = [
  {
    title: 'Item',
    width: 104,
    value: ({ words }) => printedWord(words, 'item'),
    note: ({ filedUnder }) => filedUnder,
  },
  ...gradeColumns<FactInArea>(),
  { title: 'Description', width: '*', value: ({ words }) => printedWord(words, 'description') },
  photographsColumn(),
];

/** Lists the points to note by gravity, area by area in each group (contract section 6, rule 10). */
function pointsToNoteSection(
  { pointsToNote }: InspectionReport,
  { own, links }: { own: Bookmark; links: AreaLinks },
  root: StructureElement,
): Block[] {
  const parent = child(root, 'Sect');
  const group = ({ area }: FactInArea) => ({ title: area, ...links(area) });
  const tables = GRAVITIES.flatMap((gravity) => {
    const points = pointsToNote.filter((point) => gravityOf(point) === gravity);
    if (points.length === 0) return [];
    const keep = tableKeep(points, NOTED, { group });
    const section = child(parent, 'Sect');
    const blocks = [nameHeading(section, gravity, keep, 'H3'), dataTable(points, NOTED, section, { group })];
    return [{ keep, blocks }];
  });
  const keep = NAME_HEIGHT + (tables[0]?.keep ?? 0);
  return [heading({ bookmark: own, parent, keep }), ...tables.flatMap(({ blocks }) => blocks)];
}

/** Height of a row, with the distance under it. */
const ROW_HEIGHT = 21;
const INTRODUCTION = 'The words of condition and cleanliness in this report mean the following.';

/** Defines the words of condition and cleanliness that the report uses; nothing if it uses none. */
function glossarySection(
  { gradesUsed }: InspectionReport,
  bookmarks: Bookmarks,
  root: StructureElement,
): Block[] {
  const used = new Set(gradesUsed);
  const rows = Object.values(GRADES).flatMap((grades) =>
    Object.entries(grades).flatMap(([word, { label, definition }]) =>
      used.has(word) ? [{ label, value: definition }] : [],
    ),
  );
  if (rows.length === 0) return [];
  const parent = child(root, 'Sect');
  return [
    heading({ bookmark: bookmarks.add('Glossary'), parent, keep: KEEP_TEXT + rows.length * ROW_HEIGHT }),
    paragraph(parent, INTRODUCTION, BODY, [0, 0, 0, 8]),
    ...labelledValues(parent, rows),
  ];
}
