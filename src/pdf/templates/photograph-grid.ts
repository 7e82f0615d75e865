import type { ReportLayout } from '../../api/report-terms.js';
import { linesOf } from './cover-parts.js';
import {
  type Block,
  child,
  type PhotographVector,
  type StructureElement,
  type TextBlock,
} from './definition.js';
import { photographBlock } from './grade-cells.js';
import { CAPTION_NOTE, COLUMN_GAP, CONTENT_WIDTH, HIGHEST_ROW, POINTS_A_DOT } from './look.js';
import {
  type GridColumns,
  type GridPhotograph,
  isPanorama,
  isUpright,
  photographRows,
} from './photograph-rows.js';

/** Height of the line under a frame. */
export const CAPTION_HEIGHT = 15;
const ROW_GAP = 12;
/** The least height of a frame, above number and stamp. */
const LEAST = 96;
/** Heights of a row of two, as shares of a frame's width. Without them upright pictures would take half of the page. */
const TALLEST = { upright: 1.2, mixed: 0.95 };
/** The least height of upright pictures. */
const LEAST_UPRIGHT = 190;
/** The share to which a landscape row may shrink, so that one more fits on its page. */
const SHRINK = 0.86;
/** Heights of a single photograph, whose frame spans the page. A panorama has its full width if it is no higher. */
const SINGLE = { least: 156, leastPanorama: 196, most: 374.4, mostUpright: 470 };
/** The height of a line of a caption, the width of a letter, and the lines across the page that stay with their picture. */
const [CAPTION_LINE, CAPTION_LETTER, MOST_KEPT_LINES] = [12.6, 4.6, 6];

/** An empty place in a row, and the words that explain it. */
interface EmptyPlace {
  readonly words: string;
}

export type GridRow = readonly (GridPhotograph | EmptyPlace)[];

const isPhotograph = (place: GridPhotograph | EmptyPlace): place is GridPhotograph => !('words' in place);
const captionOf = (place: GridPhotograph | EmptyPlace): string =>
  isPhotograph(place) ? (place.caption ?? '') : '';

/** The least and greatest useful heights of a row's frames. */
interface Heights {
  readonly least: number;
  readonly most: number;
}

interface GridOptions {
  /** Points of what follows that stay with the last row. */
  readonly below?: number;
  readonly layout?: ReportLayout;
}

/** Returns the least height of a grid's first row, and of what stays with it, under a heading. */
export function firstRowHeight(
  photographs: readonly GridPhotograph[],
  { below = 0, layout = 'standard' }: GridOptions = {},
): number {
  const [first, ...others] = photographRows(photographs, layout);
  return first ? rowHeight(first.row, first.columns) + (others.length === 0 ? below : 0) : 0;
}

export const rowHeight = (row: GridRow, columns: GridColumns): number =>
  heightsOf(row, columns).least + CAPTION_HEIGHT + captionHeight(row, columns);

/**
 * Prints photographs in order, in rows of one or two. Each panorama, and one photograph of an odd number, has the whole
 * width. In the layout `compact` those that no row cites stand three a row (contract section 6). `below` points of what
 * follows stay with the last row.
 */
export function photographGrid(
  photographs: readonly GridPhotograph[],
  parent: StructureElement,
  { below = 0, layout = 'standard' }: GridOptions = {},
): Block[] {
  const rows = photographRows(photographs, layout);
  return rows.flatMap(({ row, columns }, index) =>
    photographRow(row, columns, parent, {
      below: index === rows.length - 1 ? below : 0,
      ...tallestOf(row),
    }),
  );
}

/** Lets a single upright photograph take more of its page. */
const tallestOf = ([only, ...others]: readonly GridPhotograph[]): { most?: number } =>
  others.length === 0 && only !== undefined && isUpright(only) ? { most: SINGLE.mostUpright } : {};

/**
 * Prints a row as one unbreakable block. Its frames have one height and grow together if their page has space. Captions of
 * the photographs follow in full.
 */
export function photographRow(
  row: GridRow,
  columns: GridColumns,
  parent: StructureElement,
  { below = 0, most }: { below?: number; most?: number } = {},
): Block[] {
  const heights = heightsOf(row, columns, most);
  const elements = row.map((place) => elementsOf(place, parent));
  const canvas = row.map((place, column) => frame(place, { column, columns, heights }, elements[column]!));
  const keep = rowHeight(row, columns) + below;
  if (row.every((place) => captionOf(place) === '')) return [{ canvas, margin: [0, 0, 0, ROW_GAP], keep }];
  const texts = row.map((place, column) => captionText(captionOf(place), elements[column]!.caption));
  return [{ canvas, margin: [0, 0, 0, 1], keep }, columns === 1 ? texts[0]! : inColumns(texts, columns)];
}

interface PlaceElements {
  /** A figure, or a paragraph for an empty place. */
  readonly place: StructureElement;
  readonly caption: StructureElement;
}

export function elementsOf(place: GridPhotograph | EmptyPlace, parent: StructureElement): PlaceElements {
  if (!isPhotograph(place)) {
    const paragraph = child(parent, 'P');
    return { place: paragraph, caption: paragraph };
  }
  const figure = child(parent, 'Figure', place.alternative);
  return { place: figure, caption: child(figure, 'Caption') };
}

const captionText = (caption: string, element: StructureElement): TextBlock => ({
  text: '',
  set: { value: caption, style: CAPTION_NOTE, element },
  margin: [0, 0, 0, ROW_GAP],
});

function inColumns(texts: readonly TextBlock[], count: GridColumns): Block {
  const columns = Array.from({ length: count }, (_, column): Block => {
    const text = texts[column];
    return text === undefined || text.set.value === '' ? { stack: [] } : text;
  });
  return {
    table: { headerRows: 0, widths: columns.map(() => '*' as const), body: [columns] },
    layout: 'sides',
  };
}

/** Estimates the height of the captions that stay with a row: in columns all of them, unless they break over pages. */
function captionHeight(row: GridRow, columns: GridColumns): number {
  const heights = row.map((place) => captionKeep(captionOf(place), columns));
  return Math.max(0, ...heights);
}

/** Estimates the height of the lines of a caption that stay with its picture. */
export function captionKeep(caption: string, columns: GridColumns = 1): number {
  if (caption === '') return 0;
  const height = linesOf(caption, frameWidth(columns) / CAPTION_LETTER) * CAPTION_LINE;
  return Math.min(columns === 1 ? MOST_KEPT_LINES * CAPTION_LINE : HIGHEST_ROW, height);
}

const labelOf = ({ label, number }: GridPhotograph): string => label ?? `Photograph ${number}`;

const frameWidth = (columns: GridColumns): number => (CONTENT_WIDTH - (columns - 1) * COLUMN_GAP) / columns;

function heightsOf(row: GridRow, columns: GridColumns, mostAlone: number = SINGLE.most): Heights {
  const width = frameWidth(columns);
  const pictures = row.filter(isPhotograph);
  const fitting = pictures.map((picture) =>
    Math.min((width * picture.height) / picture.width, picture.height * POINTS_A_DOT),
  );
  const tallest = Math.max(LEAST, ...fitting);
  if (columns === 1) {
    const most = Math.min(tallest, mostAlone);
    const least = pictures.some(isPanorama)
      ? SINGLE.leastPanorama
      : pictures.some(isUpright)
        ? LEAST_UPRIGHT
        : SINGLE.least;
    return { least: Math.min(most, least), most };
  }
  const upright = pictures.every(isUpright);
  const most = Math.min(tallest, width * (upright ? TALLEST.upright : TALLEST.mixed));
  return { least: Math.max(LEAST, Math.min(tallest * SHRINK, LEAST_UPRIGHT)), most };
}

function frame(
  place: GridPhotograph | EmptyPlace,
  { column, columns, heights }: { column: number; columns: GridColumns; heights: Heights },
  elements: PlaceElements,
): PhotographVector {
  const width = frameWidth(columns);
  const rect = { type: 'rect', y: 0, w: width, h: heights.least + CAPTION_HEIGHT } as const;
  const size = { frameHeight: heights.least, stretch: Math.max(0, heights.most - heights.least) };
  const spot = isPhotograph(place)
    ? photographSpot(place, elements)
    : { words: place.words, element: elements.place };
  return { ...rect, x: column * (width + COLUMN_GAP), photograph: { ...spot, ...size } };
}

/** Returns the place of a photograph, without its height. */
export const photographSpot = (photograph: GridPhotograph, { place, caption }: PlaceElements) => ({
  id: photograph.block ?? photographBlock(photograph.number),
  key: photograph.rendition,
  sha256: photograph.renditionSha256,
  label: labelOf(photograph),
  ...(photograph.subject === undefined ? {} : { subject: photograph.subject }),
  ...(photograph.row === undefined ? {} : { row: photograph.row }),
  stamp: photograph.stamp,
  element: place,
  captionElement: caption,
});
