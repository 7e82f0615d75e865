import { linesOf } from './cover-parts.js';
import {
  type Block,
  child,
  rowHead,
  type SetText,
  type StructureElement,
  type TableBlock,
  type TextStyle,
} from './definition.js';
import { CONTENT_WIDTH, HIGHEST_ROW, SIDE_NOTE, TABLE_CELL, TABLE_GROUP, TABLE_HEAD } from './look.js';
import { KEEP_TEXT, paragraph } from './parts.js';

/** A column of a table: its head, its width in points, and the text of each row. */
export interface Column<Row> {
  readonly title: string;
  readonly width: number | '*';
  readonly value: (row: Row) => string;
  /** A small line under the value. */
  readonly note?: (row: Row) => string | undefined;
  readonly style?: (row: Row) => TextStyle;
  /** Further members of the cell's text. */
  readonly more?: (row: Row) => Pick<Partial<SetText>, 'lead' | 'link' | 'oneLine' | 'tag'>;
  /** Replaces the text of a cell. */
  readonly block?: (row: Row, cell: StructureElement) => Block | undefined;
  /** The id of the row, for links to it. */
  readonly rowId?: (row: Row) => string | undefined;
  /** Leaves the column out if it is empty. */
  readonly optional?: true;
}

interface TableOptions<Row> {
  readonly layout?: 'rows' | 'box' | 'schedule';
  /** The words above the first of consecutive rows for which they are equal, and the block to which they link. */
  readonly group?: (row: Row) => { readonly title: string; readonly block?: string };
}

/** Builds a table whose head is repeated on each page. The cells of its first column are the heads of their rows. */
export function dataTable<Row>(
  rows: readonly Row[],
  all: readonly Column<Row>[],
  parent: StructureElement,
  { layout = 'rows', group }: TableOptions<Row> = {},
): TableBlock {
  const columns = printedColumns(rows, all);
  const table = child(parent, 'Table');
  const head = child(table, 'TR');
  const body = [
    columns.map(({ title }) => cell(title, TABLE_HEAD, child(head, 'TH'))),
    ...rows.flatMap((row, at) => {
      const own = group?.(row);
      const begins = own !== undefined && own.title !== (at > 0 && group?.(rows[at - 1]!).title);
      const above = begins ? [groupRow(own, columns.length, child(table, 'TR'))] : [];
      const line = child(table, 'TR');
      return [
        ...above,
        columns.map((column, place) =>
          dataCell(row, column, place === 0 ? rowHead(line) : child(line, 'TD')),
        ),
      ];
    }),
  ];
  const widths = columns.map(({ width }) => width);
  return {
    table: { headerRows: 1, widths, body },
    layout,
    margin: [0, 0, 0, 12],
    keep: 2 * KEEP_TEXT,
  };
}

/** The heights of a table's head or group row, of a row's paddings and of a line, and the width of a letter. */
const [HEAD_HEIGHT, ROW_PADDING, LINE_HEIGHT, LETTER] = [24, 11, 13.3, 4.6];
/** The distance between two columns. */
const COLUMN_PADDING = 16;

/** Estimates the points that must follow a heading above a table: its head, a group's row and the rows that stand with them. */
export function tableKeep<Row>(
  rows: readonly Row[],
  all: readonly Column<Row>[],
  { group }: TableOptions<Row> = {},
): number {
  const columns = printedColumns(rows, all);
  const fixed = columns.reduce((sum, { width }) => sum + (width === '*' ? 0 : width), 0);
  const shares = columns.filter(({ width }) => width === '*').length;
  const rest = (CONTENT_WIDTH - fixed - (columns.length - 1) * COLUMN_PADDING) / shares;
  const heightOf = (row: Row): number => {
    const lines = columns.map(({ width, value, note }) => {
      const letters = (width === '*' ? rest : width) / LETTER;
      return [value(row), note?.(row) ?? ''].reduce(
        (sum, text) => sum + (text === '' ? 0 : linesOf(text, letters)),
        0,
      );
    });
    return ROW_PADDING + LINE_HEIGHT * Math.max(1, ...lines);
  };
  // The last two rows stand together.
  const together = (rows.length <= 2 ? rows : rows.slice(0, 1)).reduce((sum, row) => sum + heightOf(row), 0);
  const heads = group === undefined ? HEAD_HEIGHT : 2 * HEAD_HEIGHT;
  return Math.max(2 * KEEP_TEXT, Math.min(HIGHEST_ROW, heads + together));
}

const printedColumns = <Row>(rows: readonly Row[], all: readonly Column<Row>[]): readonly Column<Row>[] =>
  all.filter(({ optional, value }) => !optional || rows.some((row) => value(row) !== ''));

/** Returns a row whose one cell spans the table. */
function groupRow(
  { title, block }: { title: string; block?: string },
  columns: number,
  row: StructureElement,
): Block[] {
  const element = rowHead(row, columns);
  const set = block === undefined ? { element } : { element: child(element, 'Link'), link: { block } };
  const first = { text: '', set: { value: title, style: TABLE_GROUP, ...set }, colSpan: columns } as const;
  return [first, ...Array.from({ length: columns - 1 }, (): Block => ({ stack: [] }))];
}

function dataCell<Row>(
  row: Row,
  { value, note, style, more, block, rowId }: Column<Row>,
  element: StructureElement,
): Block {
  const own = block?.(row, element);
  if (own) return own;
  const id = rowId?.(row);
  const main = {
    ...cell(value(row), style?.(row) ?? TABLE_CELL, element, more?.(row)),
    ...(id === undefined ? {} : { id }),
  };
  const beneath = note?.(row);
  return beneath === undefined ? main : { stack: [main, paragraph(element, beneath, SIDE_NOTE)] };
}

const cell = (
  value: string,
  style: TextStyle,
  element: StructureElement,
  more: Partial<SetText> = {},
): Block => ({ text: '', set: { value, style, element, ...more } });
