import { type Block, child, type StructureElement } from '../definition.js';
import { BODY, TABLE_CELL } from '../look.js';
import { type Bookmark, heading, KEEP_TEXT, paragraph, subheading } from '../parts.js';
import { areaLink, type AreaPlaces } from './area-links.js';
import type { AreaList } from './changed-lists.js';
import { changedTable } from './changed-table.js';
import { comparedKeep, comparedTable } from './compared-table.js';
import type { ComparisonReport } from './comparison-report.js';
import { spaceOf } from './fact-cells.js';
import { numbersLink } from './photograph-links.js';

const INTRODUCTION =
  'What both reports describe and describe differently, the worst change first by the grades, in the words of each report. ' +
  'Responsibility, action and note are those of the later report; the comparison adds no judgement. ' +
  'The photographs are printed again under their areas.';
const NOTHING_CHANGED = 'Nothing that both reports describe differs.';
const NOTHING_DIFFERS = 'The two reports have the same areas and agree on items, readings, keys and alarms.';
/** The most changes that are listed here; all are printed under their areas. A line counts the others. */
const MOST_ROWS = 1_000;
const AREA_WIDTH = 112;
/** Letters on a line of the column beside the area's, or of all such columns together, and the paddings of a row. */
const [LETTERS, ROW_PADDING] = [76, 11];

interface ChangedPage {
  readonly own: Bookmark;
  /** The lists, each with its bookmark. */
  readonly lists: readonly (readonly [list: AreaList, bookmark: Bookmark])[];
  readonly places: AreaPlaces;
}

/**
 * Builds the page after the cover: the changes, then what one report alone mentions, then areas of one report alone and
 * photographs without a counterpart, a line for each area (contract section 6, rule 15).
 */
export function changedPage(
  { changes, sides }: ComparisonReport,
  { own, lists, places }: ChangedPage,
  parent: StructureElement,
): Block[] {
  const more = changes.length - MOST_ROWS;
  return [
    heading({ bookmark: own, parent, keep: 3 * KEEP_TEXT, pageBreak: true }),
    ...(changes.length === 0
      ? [paragraph(parent, lists.length === 0 ? NOTHING_DIFFERS : NOTHING_CHANGED, BODY, [0, 0, 0, 8])]
      : [
          paragraph(parent, INTRODUCTION, BODY, [0, 0, 0, 8]),
          ...changedTable(changes.slice(0, MOST_ROWS), { sides, places }, parent),
        ]),
    ...(more > 0 ? [paragraph(parent, `${more} more changes are listed under their areas.`, BODY)] : []),
    ...lists.flatMap(([list, bookmark]) => listBlocks(list, { bookmark, places }, parent)),
  ];
}

function listBlocks(
  { columns, lines }: AreaList,
  { bookmark, places }: { readonly bookmark: Bookmark; readonly places: AreaPlaces },
  root: StructureElement,
): Block[] {
  const parent = child(root, 'Sect');
  const rows = lines.map(([area, ...texts]) => ({
    longest: Math.max(...[area.heading, ...texts].map(spaceOf)),
    cells: [
      (element: StructureElement): Block => ({
        text: '',
        set: areaLink(area, places, { style: TABLE_CELL, element }),
      }),
      ...texts.map((value, column) => (element: StructureElement): Block => {
        const { numbersOf } = columns[column]!;
        const more = numbersOf === undefined ? {} : numbersLink(numbersOf);
        return { text: '', set: { value, style: TABLE_CELL, element, ...more } };
      }),
    ],
  }));
  const heads = [
    { title: 'Area', width: AREA_WIDTH },
    ...columns.map(({ title }) => ({ title, width: '*' as const })),
  ];
  const keep = comparedKeep(
    rows.map(({ longest }) => longest),
    LETTERS / columns.length,
    ROW_PADDING,
  );
  return [subheading({ bookmark, parent, keep }), ...comparedTable(heads, rows, parent)];
}
