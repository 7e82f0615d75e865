import type { ReportLayout } from '../../api/report-terms.js';

/** The members of a photograph that the grid needs. */
export interface GridPhotograph {
  readonly number: number;
  /** The label under it, if that is not `Photograph 7`. */
  readonly label?: string;
  /** The id for links to it, if that is not the one of its number. */
  readonly block?: string;
  /** The item that it shows, and the id of the row that cites it. */
  readonly subject?: string;
  readonly row?: string;
  readonly stamp: string;
  readonly alternative: string;
  readonly caption?: string;
  readonly width: number;
  readonly height: number;
  readonly rendition: string | null;
  readonly renditionSha256: string | null;
}

/** The ratio of width to height from which a picture has a row of its own. */
const PANORAMA = 2.5;

/** The most photographs of a row. */
export type GridColumns = 1 | 2 | 3;

/** A row of a grid, and the columns that its page is divided into. */
interface SpacedRow {
  readonly row: readonly GridPhotograph[];
  readonly columns: GridColumns;
}

/**
 * Splits photographs into rows, in order: of one or two, and in the layout `compact` of three if no row cites them.
 */
export function photographRows(photographs: readonly GridPhotograph[], layout: ReportLayout): SpacedRow[] {
  return betweenPanoramas(photographs).flatMap((run) =>
    layout === 'compact' ? run.reduce(alikeCited, []).flatMap(compactRows) : pairRows(run),
  );
}

const pairRows = (run: readonly GridPhotograph[]): SpacedRow[] =>
  inPairs(run, aloneIn(run)).map((row) => ({ row, columns: row.length === 1 ? 1 : 2 }));

const isCited = ({ row }: GridPhotograph): boolean => row !== undefined;

/** Adds a photograph to the runs of photographs that are all cited, or all not. */
function alikeCited(runs: GridPhotograph[][], photograph: GridPhotograph): GridPhotograph[][] {
  const last = runs.at(-1);
  if (last && isCited(last[0]!) === isCited(photograph)) last.push(photograph);
  else runs.push([photograph]);
  return runs;
}

/** Sets photographs without a row three a row; a panorama has a row of its own. */
function compactRows(run: readonly GridPhotograph[]): SpacedRow[] {
  if (isCited(run[0]!) || isPanorama(run[0]!)) return pairRows(run);
  return Array.from({ length: Math.ceil(run.length / 3) }, (_, place) => ({
    row: run.slice(3 * place, 3 * place + 3),
    columns: 3,
  }));
}

export const isUpright = ({ width, height }: GridPhotograph): boolean => height > width;

export const isPanorama = ({ width, height }: GridPhotograph): boolean => width >= PANORAMA * height;

/** Splits photographs into runs; a panorama is a run of its own. */
function betweenPanoramas(photographs: readonly GridPhotograph[]): GridPhotograph[][] {
  const runs: GridPhotograph[][] = [];
  let open = false;
  for (const photograph of photographs) {
    const isAlone = isPanorama(photograph);
    if (open && !isAlone) runs.at(-1)!.push(photograph);
    else runs.push([photograph]);
    open = !isAlone;
  }
  return runs;
}

/** Splits a run into pairs; in a run of odd length the one at `alone` has a row of its own. */
function inPairs(run: readonly GridPhotograph[], alone: number): GridPhotograph[][] {
  const rows: GridPhotograph[][] = [];
  for (let at = 0; at < run.length;) {
    const length = run.length % 2 === 1 && at === alone ? 1 : 2;
    rows.push(run.slice(at, at + length));
    at += length;
  }
  return rows;
}

/** Returns the last place that leaves pairs on both sides and is not upright, which would leave both of its sides empty. */
function aloneIn(run: readonly GridPhotograph[]): number {
  const fits = ({ width, height }: GridPhotograph, at: number) => at % 2 === 0 && width >= height;
  const found = run.findLastIndex(fits);
  return found < 0 ? run.length - 1 : found;
}
