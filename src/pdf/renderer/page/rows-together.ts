import { HIGHEST_ROW } from '../../templates/look.js';

export interface RowsTogether {
  /** Returns true if a row stands on one page. */
  readonly stands: (row: number) => boolean;
  /** Returns the last row that stands on one page with this one; itself if it stands alone. */
  readonly endOf: (row: number) => number;
}

type Row = readonly Record<string, unknown>[];

/**
 * Finds the rows of a table that stand together: a row that heads others with the first of them, and the last two rows. Each row
 * is measured once.
 */
export function rowsTogether(
  rows: readonly Row[],
  headerRows: number,
  measure: (row: number) => number,
): RowsTogether {
  const last = rows.length - 1;
  const heights = new Map<number, number>();
  const heightOf = (row: number): number => {
    const height = heights.get(row) ?? measure(row);
    heights.set(row, height);
    return height;
  };
  const fit = (from: number, to: number): boolean => {
    let sum = 0;
    for (let row = from; row <= to; row++) sum += heightOf(row);
    return sum <= HIGHEST_ROW;
  };
  const isJoined = (row: number): boolean => row === last - 1 || (row < last && headsOthers(rows[row]!));
  return {
    stands: (row) => fit(row, row),
    endOf: (from) => {
      let row = from;
      while (row >= headerRows && isJoined(row) && fit(from, row + 1)) row++;
      return row;
    },
  };
}

/** Returns true if the one cell of a row spans the table. */
const headsOthers = (row: Row): boolean => row.length > 1 && row[0]!['colSpan'] === row.length;
