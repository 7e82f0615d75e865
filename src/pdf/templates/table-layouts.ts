import { COLUMN_GAP, PALETTE } from './look.js';

/** The rules of tables, by the name that a table block gives as its layout. */
export const TABLE_LAYOUTS = {
  rows: {
    hLineWidth: (line: number) => (line === 0 ? 0 : 0.6),
    hLineColor: () => PALETTE.hairline,
    vLineWidth: () => 0,
    paddingLeft: (column: number) => (column === 0 ? 0 : 8),
    paddingRight: (column: number, node: { table: { widths: unknown[] } }) =>
      column === node.table.widths.length - 1 ? 0 : 8,
    paddingTop: () => 5,
    paddingBottom: () => 5,
  },
  /** Two columns of the width and distance of a row of two photographs, without rules. */
  sides: {
    hLineWidth: () => 0,
    vLineWidth: () => 0,
    paddingLeft: (column: number) => (column === 0 ? 0 : COLUMN_GAP / 2),
    paddingRight: (column: number) => (column === 0 ? COLUMN_GAP / 2 : 0),
    paddingTop: () => 0,
    paddingBottom: () => 0,
  },
};
