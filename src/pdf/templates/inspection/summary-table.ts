import type { InspectionReport, SummaryRow } from '../../../inspection/report/inspection-report.js';
import { type Block, child, type StructureElement, type TextBlock, type TextStyle } from '../definition.js';
import { TABLE_CELL, TABLE_HEAD, TABLE_HEAD_NUMBER, TABLE_NUMBER } from '../look.js';
import { type Bookmark, heading, KEEP_TEXT } from '../parts.js';

const COLUMNS: readonly (readonly [title: string, head: TextStyle, cell: TextStyle])[] = [
  ['Area', TABLE_HEAD, TABLE_CELL],
  ['Photographs', TABLE_HEAD_NUMBER, TABLE_NUMBER],
  ['First and last', TABLE_HEAD, TABLE_CELL],
  ['Status', TABLE_HEAD, TABLE_CELL],
];

const HEAD_HEIGHT = 24;
const ROW_PADDING = 10;
/** Letters on a line of the area's column. */
const AREA_LETTERS = 34;

/** The longest name in a row that may not break over pages. A longer row might not fit and would not be printed. */
const LONGEST_UNBROKEN = 300;

/** Builds the summary: a row per area with its number of photographs, the times of the first and last, and its status. */
export function summaryTable(report: InspectionReport, own: Bookmark, root: StructureElement): Block[] {
  const section = child(root, 'Sect');
  const onCover = report.summary.reduce((sum, row) => sum + heightOf(row), HEAD_HEIGHT);
  const title = heading({ bookmark: own, parent: section, keep: KEEP_TEXT * 2, onCover });
  const table = child(section, 'Table');
  const head = child(table, 'TR');
  const body = [
    COLUMNS.map(([text, style]) => cell(text, style, child(head, 'TH'))),
    ...report.summary.map((row) => tableRow(row, child(table, 'TR'))),
  ];
  const dontBreakRows = report.summary.every(({ area }) => area.length <= LONGEST_UNBROKEN);
  return [
    title,
    { table: { headerRows: 1, dontBreakRows, widths: ['*', 62, 122, 92], body }, layout: 'rows' },
  ];
}

/** Estimates the height of a row, for the table is on the cover only if all of it fits. */
function heightOf({ area, first, last }: SummaryRow): number {
  const lines = Math.max(Math.ceil(area.length / AREA_LETTERS), first === last ? 1 : 2);
  return ROW_PADDING + lines * TABLE_CELL.size * TABLE_CELL.lineHeight;
}

function tableRow(row: SummaryRow, element: StructureElement): TextBlock[] {
  const times = row.first === null ? '' : row.first === row.last ? row.first : `${row.first}\n${row.last}`;
  const texts = [row.area, String(row.photographs), times, row.status];
  return COLUMNS.map(([, , style], column) => cell(texts[column] ?? '', style, child(element, 'TD')));
}

const cell = (value: string, style: TextStyle, element: StructureElement): TextBlock => ({
  text: '',
  set: { value, style, element },
});
