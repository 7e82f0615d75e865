import type { Block, PhotographVector, StructureElement, TextBlock } from './definition.js';
import { child } from './definition.js';
import { CAPTION_NOTE, COLUMN_GAP, CONTENT_WIDTH, POINTS_A_DOT } from './look.js';

/** The members of a photograph that the grid needs. */
interface GridPhotograph {
  readonly number: number;
  /** The label under it, if that is not `Photograph 7`. */
  readonly label?: string;
  readonly stamp: string;
  readonly alternative: string;
  readonly caption?: string;
  readonly width: number;
  readonly height: number;
  readonly rendition: string | null;
  readonly renditionSha256: string | null;
}

const CAPTION_HEIGHT = 15;
const ROW_GAP = 12;
/** The ratio of width to height from which a picture has a row of its own. */
const PANORAMA = 2.5;
/** The least height of a frame, above number and stamp. */
const LEAST = 96;
/** Heights of a row of two, as shares of a frame's width. Without them upright pictures would take half of the page. */
const TALLEST = { upright: 1.2, mixed: 0.95, least: 0.8 };
/** The share to which a landscape row may shrink, so that one more fits on its page. */
const SHRINK = 0.86;
/** Heights of a single photograph, whose frame spans the page. */
const SINGLE = { least: 196, most: 374.4, mostUpright: 470 };
/** The lines of a caption that stay with its picture. */
const CAPTION_LINE = 12.6;
const MOST_KEPT_LINES = 6;
const LONGEST_UNBROKEN = 600;

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

/** The most photographs of a row. */
export type GridColumns = 1 | 2;

/** Returns the least height of a grid's first row, with which a heading must stay. */
export function firstRowHeight(photographs: readonly GridPhotograph[], columns: GridColumns): number {
  const [first] = rowsOf(photographs, columns);
  return first ? rowHeight(first, spanOf(first)) : 0;
}

export const rowHeight = (row: GridRow, columns: GridColumns): number =>
  heightsOf(row, columns).least + CAPTION_HEIGHT + captionHeight(row, columns);

/**
 * Prints photographs in order, in rows of one or two. Each panorama, and one photograph of an odd number, has the whole
 * width. `below` points of what follows stay with the last row.
 */
export function photographGrid(
  photographs: readonly GridPhotograph[],
  columns: GridColumns,
  parent: StructureElement,
  below = 0,
): Block[] {
  const rows = rowsOf(photographs, columns);
  return rows.flatMap((row, index) =>
    photographRow(row, spanOf(row), parent, {
      below: index === rows.length - 1 ? below : 0,
      ...tallestOf(row),
    }),
  );
}

function rowsOf(photographs: readonly GridPhotograph[], columns: GridColumns): GridPhotograph[][] {
  if (columns === 1) return photographs.map((photograph) => [photograph]);
  return betweenPanoramas(photographs).flatMap((run) => inPairs(run, aloneIn(run)));
}

/** Splits photographs into runs; a panorama is a run of its own. */
function betweenPanoramas(photographs: readonly GridPhotograph[]): GridPhotograph[][] {
  const runs: GridPhotograph[][] = [];
  let open = false;
  for (const photograph of photographs) {
    const isPanorama = photograph.width >= PANORAMA * photograph.height;
    if (open && !isPanorama) runs.at(-1)!.push(photograph);
    else runs.push([photograph]);
    open = !isPanorama;
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

/** Lets a single upright photograph take more of its page. */
const tallestOf = ([only, ...others]: readonly GridPhotograph[]): { most?: number } =>
  others.length === 0 && only !== undefined && only.height > only.width ? { most: SINGLE.mostUpright } : {};

const spanOf = ({ length }: GridRow): GridColumns => (length === 1 ? 1 : 2);

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
  return [{ canvas, margin: [0, 0, 0, 1], keep }, columns === 1 ? texts[0]! : inColumns(texts, row)];
}

interface PlaceElements {
  /** A figure, or a paragraph for an empty place. */
  readonly place: StructureElement;
  readonly caption: StructureElement;
}

function elementsOf(place: GridPhotograph | EmptyPlace, parent: StructureElement): PlaceElements {
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

function inColumns(texts: readonly TextBlock[], row: GridRow): Block {
  const columns = texts.map((text): Block => (text.set.value === '' ? { stack: [] } : text));
  const dontBreakRows = row.every((place) => captionOf(place).length <= LONGEST_UNBROKEN);
  return {
    table: { headerRows: 0, dontBreakRows, widths: ['*', '*'], body: [columns] },
    layout: 'sides',
  };
}

/** Estimates the height of the captions that stay with a row. */
function captionHeight(row: GridRow, columns: GridColumns): number {
  const letters = frameWidth(columns) / 4.6;
  const lines = row.map((place) => Math.ceil(captionOf(place).length / letters));
  return Math.min(MOST_KEPT_LINES, Math.max(0, ...lines)) * CAPTION_LINE;
}

const labelOf = ({ label, number }: GridPhotograph): string => label ?? `Photograph ${number}`;

const frameWidth = (columns: GridColumns): number =>
  columns === 1 ? CONTENT_WIDTH : (CONTENT_WIDTH - COLUMN_GAP) / 2;

function heightsOf(row: GridRow, columns: GridColumns, mostAlone: number = SINGLE.most): Heights {
  const width = frameWidth(columns);
  const pictures = row.filter(isPhotograph);
  const fitting = pictures.map((picture) =>
    Math.min((width * picture.height) / picture.width, picture.height * POINTS_A_DOT),
  );
  const tallest = Math.max(LEAST, ...fitting);
  if (columns === 1) {
    const most = Math.min(tallest, mostAlone);
    return { least: Math.min(most, SINGLE.least), most };
  }
  const upright = pictures.every((picture) => picture.height > picture.width);
  const most = Math.min(tallest, width * (upright ? TALLEST.upright : TALLEST.mixed));
  return { least: Math.max(LEAST, Math.min(tallest * SHRINK, width * TALLEST.least)), most };
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

const photographSpot = (photograph: GridPhotograph, { place, caption }: PlaceElements) => ({
  key: photograph.rendition,
  sha256: photograph.renditionSha256,
  label: labelOf(photograph),
  stamp: photograph.stamp,
  element: place,
  captionElement: caption,
});
