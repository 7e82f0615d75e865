import { COLUMN_GAP, PALETTE } from './look.js';

interface Columns {
  readonly table: { readonly widths: readonly unknown[]; readonly body: readonly unknown[] };
}

/** The layouts of tables by the names that table blocks use. */
export const TABLE_LAYOUTS = {
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
  /** Rows whose narrow columns stand close. */
  schedule: {
    hLineWidth: (line: number) => (line === 0 ? 0 : 0.6),
    hLineColor: () => PALETTE.hairline,
    vLineWidth: () => 0,
    paddingLeft: (column: number) => (column === 0 ? 0 : 6),
    paddingRight: () => 0,
    paddingTop: () => 5,
    paddingBottom: () => 5,
  },
  /** Columns without rules, placed like a row of photographs. */
  sides: {
    hLineWidth: () => 0,
    vLineWidth: () => 0,
    paddingLeft: (column: number) => (column === 0 ? 0 : COLUMN_GAP),
    paddingRight: () => 0,
    paddingTop: () => 0,
    paddingBottom: () => 0,
  },
};
