import { type Block, child, rowHead, type StructureElement, type TextStyle } from '../definition.js';
import { HIGHEST_ROW, TABLE_HEAD } from '../look.js';
import { KEEP_TEXT } from '../parts.js';

/** A row: its cells for the element of each, and its longest text. */
export interface TableRow {
  readonly longest: number;
  /** Builds the row's head, which is the first cell, and the others. */
  readonly cells: readonly ((element: StructureElement) => Block)[];
}

export interface TableHead {
  readonly title: string;
  readonly width: number | '*';
}

/** The longest text of a row in a table with others. */
const LONGEST_TOGETHER = 400;

/** Builds a table whose head is repeated on each page. Rows with a long text are in tables of their own. */
export function comparedTable(
  heads: readonly TableHead[],
  rows: readonly TableRow[],
  parent: StructureElement,
): Block[] {
  return runsOf(rows).map((run, index): Block => {
    const table = child(parent, 'Table');
    const head = child(table, 'TR');
    const body = [
      heads.map(({ title }) => textBlock(title, TABLE_HEAD, child(head, 'TH'))),
      ...run.map(({ cells }) => {
        const line = child(table, 'TR');
        return cells.map((cell, column) => cell(column === 0 ? rowHead(line) : child(line, 'TD')));
      }),
    ];
    const widths = heads.map(({ width }) => width);
    return {
      table: { headerRows: 1, widths, body },
      layout: 'rows',
      margin: [0, index === 0 ? 0 : 2, 0, 12],
      keep: 2 * KEEP_TEXT,
    };
  });
}

/** The heights of a table's head and of a line. */
const [HEAD_HEIGHT, LINE_HEIGHT] = [24, 13.3];

/**
 * Estimates the points that must follow a heading above a table. `longest` has the characters of the longest text of each row,
 * `letters` is how many stand on a line, and `besideWords` is the height of whatever else a row has.
 */
export function comparedKeep(longest: readonly number[], letters: number, besideWords: number): number {
  // The last two rows stand together.
  const together = (longest.length <= 2 ? longest : longest.slice(0, 1)).reduce(
    (sum, characters) => sum + besideWords + LINE_HEIGHT * Math.ceil(characters / letters),
    HEAD_HEIGHT,
  );
  return Math.max(2 * KEEP_TEXT, Math.min(HIGHEST_ROW, together));
}

const textBlock = (value: string, style: TextStyle, element: StructureElement): Block => ({
  text: '',
  set: { value, style, element },
});

const isLong = ({ longest }: TableRow): boolean => longest > LONGEST_TOGETHER;

/** Splits rows into runs that may all break, or may all not. */
function runsOf(rows: readonly TableRow[]): TableRow[][] {
  const runs: TableRow[][] = [];
  for (const row of rows) {
    const run = runs.at(-1);
    if (run && isLong(run[0]!) === isLong(row)) run.push(row);
    else runs.push([row]);
  }
  return runs;
}
