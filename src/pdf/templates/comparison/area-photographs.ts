import type { ReportPhotograph } from '../../../inspection/report/inspection-report.js';
import { type Block, child, type StructureElement } from '../definition.js';
import { NAME_HEADING } from '../look.js';
import { NAME_HEIGHT, paragraph } from '../parts.js';
import {
  firstRowHeight,
  type GridRow,
  photographGrid,
  photographRow,
  rowHeight,
} from '../photograph-grid.js';
import type { GridPhotograph } from '../photograph-rows.js';
import type { ComparedArea, ComparedReport, PhotographPair, Sides } from './comparison-report.js';
import { thingOf } from './fact-statement.js';
import { photographId } from './photograph-links.js';

type Side = keyof Sides<unknown>;

/** The most things that a caption names. */
const MOST_NAMED = 4;

/** The photographs of an area, ready to be printed, and the height of their first row. */
export interface AreaPhotographs {
  readonly firstRow: number;
  readonly blocks: (parent: StructureElement) => Block[];
}

/** Puts pairs first, then the photographs of the earlier report without a counterpart, then those of the later one. */
export function inPrintOrder(pairs: readonly PhotographPair[]): PhotographPair[] {
  return [
    ...pairs.filter(({ before, after }) => before && after),
    ...pairs.filter(({ after }) => after === null),
    ...pairs.filter(({ before }) => before === null),
  ];
}

/**
 * Puts the photographs of an area in rows, the earlier report's on the left and its counterpart on the right; then those
 * without a counterpart. Those of an area of one report alone are printed as in a report of their own. Each has the things
 * that cite it in its caption.
 */
export function areaPhotographs(area: ComparedArea, sides: Sides<ComparedReport>): AreaPhotographs {
  const things = { before: thingsBy(area, 'before'), after: thingsBy(area, 'after') };
  const place = (photograph: ReportPhotograph, side: Side) => ({
    ...labelled(photograph, sides[side], things[side].get(photograph.number) ?? new Set()),
    block: photographId(side, photograph.number),
  });
  const of = (side: Side, pairs: readonly PhotographPair[]) =>
    pairs.flatMap((pair) => (pair[side] ? [place(pair[side], side)] : []));
  if (!area.before || !area.after) {
    const grid = of(area.before ? 'before' : 'after', area.pairs);
    return { firstRow: firstRowHeight(grid), blocks: (parent) => photographGrid(grid, parent) };
  }
  const paired = area.pairs.filter(({ before, after }) => before && after);
  const parts = [
    inRows(paired.map(({ before, after }) => [place(before!, 'before'), place(after!, 'after')])),
    unpaired(
      of(
        'before',
        area.pairs.filter(({ after }) => after === null),
      ),
      'before',
      sides,
    ),
    unpaired(
      of(
        'after',
        area.pairs.filter(({ before }) => before === null),
      ),
      'after',
      sides,
    ),
  ];
  return {
    firstRow: parts.find(({ firstRow }) => firstRow > 0)?.firstRow ?? 0,
    blocks: (parent) => parts.flatMap(({ blocks }) => blocks(parent)),
  };
}

const inRows = (rows: readonly GridRow[]): AreaPhotographs => ({
  firstRow: rows[0] ? rowHeight(rows[0], 2) : 0,
  blocks: (parent) => rows.flatMap((row) => photographRow(row, 2, parent)),
});

/** Prints one beside an empty place that explains itself, and several under a line of words. */
function unpaired(
  grid: readonly GridPhotograph[],
  side: Side,
  sides: Sides<ComparedReport>,
): AreaPhotographs {
  const [one, ...others] = grid;
  const other = side === 'before' ? sides.after : sides.before;
  if (others.length === 0) {
    const empty = { words: `No counterpart ${other.name.where}` };
    return inRows(one ? [side === 'before' ? [one, empty] : [empty, one]] : []);
  }
  const firstRow = firstRowHeight(grid);
  return {
    firstRow: firstRow + NAME_HEIGHT,
    blocks: (root) => {
      const parent = child(root, 'Sect');
      const title = `${sides[side].name.label} photographs without counterpart`;
      const above = paragraph(parent, title, NAME_HEADING, [0, 4, 0, 5]);
      return [{ ...above, keep: firstRow + NAME_HEIGHT }, ...photographGrid(grid, parent)];
    },
  };
}

/** Labels a photograph with its number and its report; names the things that it shows in its caption. */
function labelled(photograph: ReportPhotograph, { name }: ComparedReport, things: ReadonlySet<string>) {
  const more = things.size - MOST_NAMED;
  const named = [...[...things].slice(0, MOST_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  const shown = named === '' ? photograph.filedUnder : named;
  const caption = [shown, photograph.caption].filter((part) => part !== undefined).join('\n');
  return {
    ...photograph,
    label: `Photograph ${photograph.number}, ${name.short}`,
    alternative: `${name.label}: ${photograph.alternative}`,
    ...(caption === '' ? {} : { caption }),
  };
}

/** Returns the things of an area by the numbers of the photographs that they cite. */
function thingsBy({ heading, facts }: ComparedArea, side: Side): Map<number, Set<string>> {
  const things = new Map<number, Set<string>>();
  for (const pair of facts) {
    const placed = pair[side];
    if (placed?.area !== heading) continue;
    const name = thingOf(placed.fact);
    for (const number of placed.fact.photographs) {
      const known = things.get(number);
      if (known) known.add(name);
      else things.set(number, new Set([name]));
    }
  }
  return things;
}
