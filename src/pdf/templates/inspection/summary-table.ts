import type { InspectionReport, SummaryRow } from '../../../inspection/report/inspection-report.js';
import { linesOf } from '../cover-parts.js';
import {
  type Block,
  child,
  rowHead,
  type StructureElement,
  type TextBlock,
  type TextStyle,
} from '../definition.js';
import { TABLE_CELL, TABLE_HEAD, TABLE_HEAD_NUMBER, TABLE_NUMBER } from '../look.js';
import { type Bookmark, heading, KEEP_TEXT } from '../parts.js';
import type { AreaLinks } from './section-links.js';

const HEAD_HEIGHT = 24;
const ROW_PADDING = 10;
/** Letters on a line of the columns of areas, times and statuses. */
const [AREA_LETTERS, TIME_LETTERS, STATUS_LETTERS] = [34, 28, 19];

/**
 * Builds the summary: a row per area with its number of photographs, the times of the first and last, and its status. Each
 * day is printed once: in the head if it is the only one, else where it begins.
 */
export function summaryTable(
  { summary }: InspectionReport,
  { own, links }: { own: Bookmark; links: AreaLinks },
  root: StructureElement,
): Block[] {
  const section = child(root, 'Sect');
  const days = new Set(
    summary.flatMap(({ first, last }) => [first, last].flatMap((stamp) => stamp ?? [])).map(dayOf),
  );
  const [only] = days;
  const times = timesOf(summary, days.size === 1 ? only : undefined);
  const onCover = summary.reduce((sum, row, at) => sum + heightOf(row, times[at]!), HEAD_HEIGHT);
  const title = heading({ bookmark: own, parent: section, keep: KEEP_TEXT * 2, onCover });
  const table = child(section, 'Table');
  const head = child(table, 'TR');
  const columns: readonly (readonly [title: string, style: TextStyle])[] = [
    ['Area', TABLE_HEAD],
    ['Photographs', TABLE_HEAD_NUMBER],
    [days.size === 1 ? only! : 'First and last', TABLE_HEAD],
    ['Status', TABLE_HEAD],
  ];
  const body = [
    columns.map(([text, style]) => cell(text, style, child(head, 'TH'))),
    ...summary.map((row, at) => tableRow(row, times[at]!, { element: child(table, 'TR'), links })),
  ];
  return [title, { table: { headerRows: 1, widths: ['*', 62, 132, 92], body }, layout: 'rows' }];
}

/** Estimates the height of a row, for the table is on the cover only if all of it fits. */
function heightOf({ area, status }: SummaryRow, times: string): number {
  const lines = Math.max(
    linesOf(area, AREA_LETTERS),
    linesOf(times, TIME_LETTERS),
    linesOf(status, STATUS_LETTERS),
  );
  return ROW_PADDING + lines * TABLE_CELL.size * TABLE_CELL.lineHeight;
}

/** Splits `25 Oct 2026, 01:30 BST` into day, time and zone. */
function partsOf(stamp: string): { day: string; time: string; zone: string } {
  const [day = '', rest = ''] = stamp.split(', ');
  const [time = '', zone = ''] = rest.split(' ');
  return { day, time, zone };
}

const dayOf = (stamp: string): string => partsOf(stamp).day;

/** Returns the words of each row; `day` is the one that has been printed before them. */
function timesOf(rows: readonly SummaryRow[], day: string | undefined): string[] {
  let printed = day;
  return rows.map(({ first, last }) => {
    if (first === null || last === null) return '';
    const [from, to] = [partsOf(first), partsOf(last)];
    const begins = from.day === printed ? '' : `${from.day}, `;
    printed = to.day;
    if (first === last) return `${begins}${from.time} ${from.zone}`;
    const ends = to.day === from.day ? '' : `${to.day}, `;
    const zone = from.zone === to.zone && ends === '' ? '' : ` ${from.zone}`;
    return `${begins}${from.time}${zone}–${ends}${to.time} ${to.zone}`;
  });
}

function tableRow(
  { area, photographs, status }: SummaryRow,
  times: string,
  { element, links }: { element: StructureElement; links: AreaLinks },
): TextBlock[] {
  const head = rowHead(element);
  const { block } = links(area);
  const link = block === undefined ? { element: head } : { element: child(head, 'Link'), link: { block } };
  return [
    { text: '', set: { value: area, style: TABLE_CELL, ...link } },
    cell(String(photographs), TABLE_NUMBER, child(element, 'TD')),
    cell(times, TABLE_CELL, child(element, 'TD')),
    cell(status, TABLE_CELL, child(element, 'TD')),
  ];
}

const cell = (value: string, style: TextStyle, element: StructureElement): TextBlock => ({
  text: '',
  set: { value, style, element },
});
