import type { ComparedReport, ComparisonReport } from '../../../inspection/report/comparison-report.js';
import { coverTitle, masthead, VALUE_LINE } from '../cover-parts.js';
import { type Block, child, type StructureElement, type TextBlock, type TextStyle } from '../definition.js';
import { LABEL, SIDE_LABEL, VALUE } from '../look.js';

const ROWS: readonly (readonly [label: string, value: (report: ComparedReport) => string | undefined])[] = [
  ['Report', ({ cover }) => cover.title],
  ['Report date', ({ cover }) => cover.reportDate],
  ['Address', ({ cover }) => cover.address],
  ['Company', ({ cover }) => cover.company],
  ['Inspector', ({ cover }) => cover.assessor],
  ['Tenant', ({ cover }) => cover.tenant],
  ['Location', ({ cover }) => cover.location?.text],
  ['Photographs', ({ photographs }) => String(photographs)],
  ['Report reference', ({ reportId }) => reportId],
];

/** What is compared: the address that both reports share, and each report's own cover values in a column of its own. */
export function comparisonCover({ cover, sides }: ComparisonReport, root: StructureElement): Block[] {
  const section = child(root, 'Sect');
  const { before, after } = sides;
  const front = [...masthead(cover, section), ...coverTitle(cover, section)];
  const table = child(section, 'Table');
  const head = child(table, 'TR');
  const body = [
    [
      cell('', LABEL, child(head, 'TH')),
      cell(before.name.label, SIDE_LABEL, child(head, 'TH')),
      cell(after.name.label, SIDE_LABEL, child(head, 'TH')),
    ],
    ...ROWS.flatMap(([label, value]) => row(label, value(before), value(after), table)),
  ];
  return [
    ...front,
    { table: { headerRows: 1, widths: [84, '*', '*'], body }, layout: 'rows', margin: [0, 34, 0, 0] },
  ];
}

/** A row that neither report has anything for is left out. */
function row(
  label: string,
  before: string | undefined,
  after: string | undefined,
  table: StructureElement,
): TextBlock[][] {
  if (before === undefined && after === undefined) return [];
  const element = child(table, 'TR');
  const value = (text: string | undefined) => cell(text ?? '—', VALUE, child(element, 'TD'));
  return [[cell(label, LABEL, child(element, 'TD')), value(before), value(after)]];
}

const cell = (value: string, style: TextStyle, element: StructureElement): TextBlock => ({
  text: '',
  set: { value, style, element, oneLine: VALUE_LINE },
});
