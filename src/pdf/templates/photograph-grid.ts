import type { Block, PhotographVector, StructureElement } from './definition.js';
import { child } from './definition.js';
import { CAPTION_NOTE, COLUMN_GAP, CONTENT_WIDTH } from './look.js';
import { paragraph } from './parts.js';

/** A photograph as the grid needs it. */
export interface GridPhotograph {
  readonly number: number;
  /** What stands under it, where that is not `Photograph 7`. */
  readonly label?: string;
  readonly stamp: string;
  readonly alternative: string;
  readonly caption?: string;
  readonly width: number;
  readonly height: number;
  readonly rendition: string | null;
  readonly renditionBytes?: number;
}

const CAPTION_HEIGHT = 15;
const ROW_GAP = 12;
/**
 * Heights of frames that a row may have, as shares of the frame's width: 16:9, 3:2, 4:3, and for anything taller so
 * much that three rows fill a page.
 */
const TALLEST = 0.87;
const HEIGHTS = [9 / 16, 2 / 3, 3 / 4, TALLEST];
/** One photograph a row: the frame spans the page, and this is the most that it takes of its height. */
const SINGLE_HEIGHT = 268;

/** A row of photographs; null is a place that stays empty. */
export type PhotographRow = readonly (GridPhotograph | null)[];

/** The height that the first row of a grid takes, for headings that must stay with it. */
export function firstRowHeight(photographs: readonly GridPhotograph[], columns: 1 | 2): number {
  return rowHeight(photographs.slice(0, columns), columns);
}

export const rowHeight = (row: PhotographRow, columns: 1 | 2): number =>
  frameHeight(row, columns) + CAPTION_HEIGHT;

/** Photographs one after another, in rows of one or two. */
export function photographGrid(
  photographs: readonly GridPhotograph[],
  columns: 1 | 2,
  parent: StructureElement,
): Block[] {
  const blocks: Block[] = [];
  for (let start = 0; start < photographs.length; start += columns) {
    blocks.push(...photographRow(photographs.slice(start, start + columns), columns, parent));
  }
  return blocks;
}

/**
 * A row is one block that never breaks; its frames are of one height, the smallest of a few that fits its photographs,
 * so that landscape and portrait stand in line. Captions that came with a photograph follow their row in full.
 */
export function photographRow(row: PhotographRow, columns: 1 | 2, parent: StructureElement): Block[] {
  const height = frameHeight(row, columns);
  const canvas = row.flatMap((photograph, column) =>
    photograph ? [frame(photograph, column, columns, height, parent)] : [],
  );
  const captioned = row.filter((photograph) => photograph !== null && photograph.caption !== undefined);
  return [
    { canvas, margin: [0, 0, 0, captioned.length > 0 ? 3 : ROW_GAP] },
    ...captioned.map((photograph, index) => {
      const text = `${labelOf(photograph!)}: ${photograph!.caption}`;
      const below = index === captioned.length - 1 ? ROW_GAP : 0;
      return paragraph(parent, text, CAPTION_NOTE, [0, 0, 0, below]);
    }),
  ];
}

const labelOf = ({ label, number }: GridPhotograph): string => label ?? `Photograph ${number}`;

const frameWidth = (columns: 1 | 2): number =>
  columns === 1 ? CONTENT_WIDTH : (CONTENT_WIDTH - COLUMN_GAP) / 2;

function frameHeight(row: PhotographRow, columns: 1 | 2): number {
  const width = frameWidth(columns);
  const tallest = Math.max(
    ...row.map((photograph) => (photograph ? photograph.height / photograph.width : 0)),
  );
  if (columns === 1) return SINGLE_HEIGHT;
  return width * (HEIGHTS.find((share) => share + 0.01 >= tallest) ?? TALLEST);
}

function frame(
  photograph: GridPhotograph,
  column: number,
  columns: 1 | 2,
  height: number,
  parent: StructureElement,
): PhotographVector {
  const width = frameWidth(columns);
  const figure = child(parent, 'Figure', photograph.alternative);
  return {
    type: 'rect',
    x: column * (width + COLUMN_GAP),
    y: 0,
    w: width,
    h: height + CAPTION_HEIGHT,
    photograph: {
      key: photograph.rendition,
      ...(photograph.renditionBytes === undefined ? {} : { bytes: photograph.renditionBytes }),
      frameHeight: height,
      label: labelOf(photograph),
      stamp: photograph.stamp,
      element: figure,
      captionElement: child(figure, 'Caption'),
    },
  };
}
