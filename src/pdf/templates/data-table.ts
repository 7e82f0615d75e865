import { type Block, child, type StructureElement, type TableBlock, type TextStyle } from './definition.js';
import { SIDE_NOTE, TABLE_CELL, TABLE_HEAD } from './look.js';
import { KEEP_TEXT, paragraph } from './parts.js';

/** A column of a table: its head, its width in points, and the text of each row. */
export interface Column<Row> {
  readonly title: string;
  readonly width: number | '*';
  readonly value: (row: Row) => string;
  /** A small line under the value. */
  readonly note?: (row: Row) => string | undefined;
  readonly style?: (row: Row) => TextStyle;
  /** Leaves the column out if it is empty. */
  readonly optional?: true;
}

/** The longest text in a row that may not break over pages. A longer row might not fit and would not be printed. */
const LONGEST_UNBROKEN = 400;
const MOST_LINES_UNBROKEN = 12;

/** Builds a table whose head is repeated on each page. `views` has boxes to write in as its last two columns. */
export function dataTable<Row>(
  rows: readonly Row[],
  all: readonly Column<Row>[],
  parent: StructureElement,
  layout: 'rows' | 'views' | 'box' = 'rows',
): TableBlock {
  const columns = all.filter(({ optional, value }) => !optional || rows.some((row) => value(row) !== ''));
  const table = child(parent, 'Table');
  const head = child(table, 'TR');
  const body = [
    columns.map(({ title }) => cell(title, TABLE_HEAD, child(head, 'TH'))),
    ...rows.map((row) => {
      const line = child(table, 'TR');
      return columns.map((column) => dataCell(row, column, child(line, 'TD')));
    }),
  ];
  const dontBreakRows = rows.every((row) =>
    columns.every(({ value, note }) => isShort(value(row)) && isShort(note?.(row) ?? '')),
  );
  const widths = columns.map(({ width }) => width);
  return {
    table: { headerRows: 1, dontBreakRows, widths, body },
    layout,
    margin: [0, 0, 0, 12],
    keep: 2 * KEEP_TEXT,
  };
}

function dataCell<Row>(row: Row, { value, note, style }: Column<Row>, element: StructureElement): Block {
  const main = cell(value(row), style?.(row) ?? TABLE_CELL, element);
  const beneath = note?.(row);
  return beneath === undefined ? main : { stack: [main, paragraph(element, beneath, SIDE_NOTE)] };
}

const cell = (value: string, style: TextStyle, element: StructureElement): Block => ({
  text: '',
  set: { value, style, element },
});

const isShort = (text: string): boolean =>
  text.length <= LONGEST_UNBROKEN && text.split(/[\n\r\u2028\u2029]/).length <= MOST_LINES_UNBROKEN;
