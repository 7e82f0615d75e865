import type { FrontMatter, InspectionReport } from '../../../inspection/report/inspection-report.js';
import { labelledValues } from '../cover-parts.js';
import { type Column, dataTable, tableKeep } from '../data-table.js';
import { type Block, child, type StructureElement } from '../definition.js';
import { BODY } from '../look.js';
import { type Bookmark, heading, KEEP_TEXT, NAME_HEIGHT, nameHeading, paragraph } from '../parts.js';

type HandedOver = FrontMatter['documents'][number];

const DOCUMENTS: readonly Column<HandedOver>[] = [
  { title: 'Document', width: '*', value: ({ kind }) => kind },
  { title: 'Date', width: 76, value: ({ date = '' }) => date, optional: true },
  { title: 'Note', width: 190, value: ({ note = '' }) => note, optional: true },
];

/** Points of a part that stay with its title. */
const KEEP_PART = 2 * KEEP_TEXT;

/** Returns true if there is anything to print before the findings: facts of the visit, documents, or texts of the flow. */
export const hasFrontMatter = ({ frontMatter, ...report }: InspectionReport): boolean =>
  Object.values(frontMatter).some(({ length }) => length > 0) ||
  [report.previousReport, report.guidance, report.disclaimers].some((each) => each !== undefined);

/** Prints the visit, the tenancy and the property as a whole, the documents handed over, guidance and disclaimers. */
export function frontMatterSection(report: InspectionReport, own: Bookmark, root: StructureElement): Block[] {
  const parent = child(root, 'Sect');
  const { frontMatter, guidance, disclaimers } = report;
  const { visit, present, tenancy, overview, documents } = frontMatter;
  const rows = [
    ...visit,
    ...(present.length === 0 ? [] : [{ label: 'Present', value: present.join('\n') }]),
    ...tenancy,
    ...overview,
    ...previous(report),
  ];
  const documentsKeep = documents.length > 0 ? tableKeep(documents, DOCUMENTS) : KEEP_PART;
  const keep = rows.length > 0 ? KEEP_PART : NAME_HEIGHT + documentsKeep;
  return [
    heading({ bookmark: own, parent, keep }),
    ...(rows.length === 0 ? [] : labelledValues(parent, rows)),
    ...named(parent, 'Documents handed over', documents.length > 0 && documentsKeep, (section) => [
      dataTable(documents, DOCUMENTS, section),
    ]),
    ...named(parent, 'Guidance', guidance !== undefined && KEEP_PART, (section) =>
      flowText(section, guidance),
    ),
    ...named(parent, 'Disclaimers', disclaimers !== undefined && KEEP_PART, (section) =>
      flowText(section, disclaimers),
    ),
  ];
}

/** Prints a part under its title; `keep` is false if there is nothing to print. */
function named(
  root: StructureElement,
  title: string,
  keep: number | false,
  content: (section: StructureElement) => Block[],
): Block[] {
  if (keep === false) return [];
  const section = child(root, 'Sect');
  return [nameHeading(section, title, keep, 'H3'), ...content(section)];
}

const flowText = (section: StructureElement, text = ''): Block[] => [
  paragraph(section, text, BODY, [0, 0, 0, 8], { byDirection: true }),
];

function previous({ previousReport }: InspectionReport) {
  if (previousReport === undefined) return [];
  const { reference, inspected } = previousReport;
  const of = inspected === undefined ? '' : `${inspected}, `;
  return [{ label: 'Check-in report', value: `${of}Ref. ${reference}` }];
}
