import type { ReportPhotograph } from '../../../inspection/report/inspection-report.js';
import { type Block, child, type StructureElement } from '../definition.js';
import {
  CAPTION_STAMP,
  PHOTOGRAPH_NUMBERS,
  POINTS_A_DOT,
  SIDE_NOTE,
  TABLE_CELL,
  TABLE_CELL_STRONG,
} from '../look.js';
import { paragraph } from '../parts.js';
import { areaLink, type AreaPlaces } from './area-links.js';
import { comparedTable, type TableRow } from './compared-table.js';
import type { ThingChange, ComparedReport, Sides } from './comparison-report.js';
import { factCell, longestOf, spaceOf, thingLines } from './fact-cells.js';
import { outcomeLines } from './fact-statement.js';
import { numbersLink, photographId } from './photograph-links.js';

const SIDE_WIDTH = 180;
const HIGHEST = 150;
const STAMP_WIDTH = 104;
/** The most changes with their photographs, which are also printed under their areas. */
const MOST_PICTURED = 200;

/** Builds the table of changes: the thing with its change in the first column, each report's words and photograph beside it. */
export function changedTable(
  changes: readonly ThingChange[],
  { sides, places }: { readonly sides: Sides<ComparedReport>; readonly places: AreaPlaces },
  parent: StructureElement,
): Block[] {
  const head = ({ name, cover }: ComparedReport) => [name.label, cover.inspected].filter(Boolean).join(', ');
  return comparedTable(
    [
      { title: 'Item', width: '*' },
      { title: head(sides.before), width: SIDE_WIDTH },
      { title: head(sides.after), width: SIDE_WIDTH },
    ],
    changes.map((change, place) => rowOf(change, { sides, places, pictured: place < MOST_PICTURED })),
    parent,
  );
}

interface RowOptions {
  readonly sides: Sides<ComparedReport>;
  readonly places: AreaPlaces;
  readonly pictured: boolean;
}

function rowOf(change: ThingChange, { sides, places, pictured }: RowOptions): TableRow {
  const { area, after, difference } = change;
  const options = { heading: area.heading };
  const shown = (side: keyof Sides<unknown>) => {
    const one = pictured ? change.photographs[side] : null;
    return one === null ? {} : { shown: one.number };
  };
  const height = pictured ? heightOf(change.photographs) : 0;
  const cell =
    (side: keyof Sides<unknown>): TableRow['cells'][number] =>
    (element) => ({
      stack: [
        ...photograph(change.photographs[side], { side, height, label: sides[side].name.label }, element),
        ...factCell(
          change[side],
          { ...options, side, withOutcome: side === 'before', ...shown(side) },
          element,
        ),
      ],
    });
  const lines = [...difference.words, ...outcomeLines(after.fact)];
  return {
    longest: Math.max(longestOf(change), spaceOf(lines.join('\n'))),
    cells: [
      (element) => ({
        stack: [
          { text: '', set: areaLink(area, places, { style: SIDE_NOTE, element: child(element, 'P') }) },
          ...thingLines(change, sides, element),
          ...difference.words.map((line) => paragraph(element, line, TABLE_CELL_STRONG)),
          ...outcomeLines(after.fact).map((line) => paragraph(element, line, TABLE_CELL)),
        ],
      }),
      cell('before'),
      cell('after'),
    ],
  };
}

/** Returns the height of both frames of a row; 0 without photographs. */
function heightOf({ before, after }: ThingChange['photographs']): number {
  const heights = [before, after].flatMap((one) =>
    one === null ? [] : [Math.min((SIDE_WIDTH * one.height) / one.width, one.height * POINTS_A_DOT, HIGHEST)],
  );
  return Math.max(0, ...heights);
}

/** Prints a small copy of a photograph, with its number and stamp, that links to the photograph under its area. */
function photograph(
  one: ReportPhotograph | null,
  {
    side,
    height,
    label,
  }: { readonly side: keyof Sides<unknown>; readonly height: number; readonly label: string },
  element: StructureElement,
): Block[] {
  if (height === 0) return [];
  if (one === null) return [paragraph(element, 'no photograph', SIDE_NOTE)];
  const link = child(element, 'Link');
  const figure = child(link, 'Figure', `${label}: ${one.alternative}`);
  const thumbnail = { key: one.rendition, sha256: one.renditionSha256, link, figure, block: photographId(side, one.number) }; // prettier-ignore
  const caption = {
    ...numbersLink(side),
    trail: { value: one.stamp, style: CAPTION_STAMP, width: STAMP_WIDTH },
  };
  return [
    { canvas: [{ type: 'rect', x: 0, y: 0, w: SIDE_WIDTH, h: height, thumbnail }], margin: [0, 0, 0, 2] },
    paragraph(element, `Photograph ${one.number}`, PHOTOGRAPH_NUMBERS, [0, 0, 0, 4], caption),
  ];
}
