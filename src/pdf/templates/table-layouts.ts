import { COLUMN_GAP, PALETTE } from './look.js';

const VIEWS = 2;
const ROOM_TO_WRITE = 16;

interface Columns {
  readonly table: { readonly widths: readonly unknown[]; readonly body: readonly unknown[] };
}

/** The layouts of tables by the names that table blocks use. */
export const TABLE_LAYOUTS = {
  /** The last two columns are boxes to write in. */
  views: {
    hLineWidth: (line: number) => (line === 0 ? 0 : 0.6),
    hLineColor: () => PALETTE.hairline,
    vLineWidth: (line: number, { table }: Columns) => (line >= table.widths.length - VIEWS ? 0.6 : 0),
    vLineColor: () => PALETTE.hairline,
    paddingLeft: (column: number) => (column === 0 ? 0 : 6),
    paddingRight: () => 6,
    paddingTop: () => 5,
    paddingBottom: (row: number) => (row === 0 ? 5 : ROOM_TO_WRITE),
  },
  /** A frame around all rows. */
  box: {
    hLineWidth: () => 0.6,
    hLineColor: (line: number, { table }: Columns) =>
      line === 0 || line === table.body.length ? PALETTE.muted : PALETTE.hairline,
    vLineWidth: (line: number, { table }: Columns) => (line === 0 || line === table.widths.length ? 0.6 : 0),
    vLineColor: () => PALETTE.muted,
    paddingLeft: () => 7,
    paddingRight: () => 6,
    paddingTop: () => 5,
    paddingBottom: () => 5,
  },
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
  /** Two columns without rules, placed like a row of two photographs. */
  sides: {
    hLineWidth: () => 0,
    vLineWidth: () => 0,
    paddingLeft: (column: number) => (column === 0 ? 0 : COLUMN_GAP / 2),
    paddingRight: (column: number) => (column === 0 ? COLUMN_GAP / 2 : 0),
    paddingTop: () => 0,
    paddingBottom: () => 0,
  },
};
