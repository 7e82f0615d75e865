import type { Block, PhotographVector, StructureElement } from './definition.js';
import { child } from './definition.js';
import { CAPTION_NOTE, CONTENT_WIDTH } from './look.js';
import { paragraph } from './parts.js';

/** A photograph as the grid needs it. */
export interface GridPhotograph {
  readonly number: number;
  readonly stamp: string;
  readonly alternative: string;
  readonly caption?: string;
  readonly width: number;
  readonly height: number;
  readonly rendition: string | null;
  readonly renditionBytes?: number;
}

const GAP = 15.28;
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

/** The height that the first row of a grid takes, for headings that must stay with it. */
export function firstRowHeight(photographs: readonly GridPhotograph[], columns: 1 | 2): number {
  return frameHeight(photographs.slice(0, columns), columns) + CAPTION_HEIGHT;
}

/**
 * Photographs in rows of one or two. A row is one block that never breaks; its frames are of one height, the smallest
 * of a few that fits its photographs, so that landscape and portrait stand in line. Captions that came with a
 * photograph follow their row in full.
 */
export function photographGrid(
  photographs: readonly GridPhotograph[],
  columns: 1 | 2,
  parent: StructureElement,
): Block[] {
  const blocks: Block[] = [];
  for (let start = 0; start < photographs.length; start += columns) {
    const row = photographs.slice(start, start + columns);
    const height = frameHeight(row, columns);
    const canvas = row.map((photograph, column) => frame(photograph, column, columns, height, parent));
    const captioned = row.filter((photograph) => photograph.caption !== undefined);
    blocks.push({ canvas, margin: [0, 0, 0, captioned.length > 0 ? 3 : ROW_GAP] });
    captioned.forEach((photograph, index) => {
      const text = `Photograph ${photograph.number}: ${photograph.caption}`;
      const below = index === captioned.length - 1 ? ROW_GAP : 0;
      blocks.push(paragraph(parent, text, CAPTION_NOTE, [0, 0, 0, below]));
    });
  }
  return blocks;
}

const frameWidth = (columns: 1 | 2): number => (columns === 1 ? CONTENT_WIDTH : (CONTENT_WIDTH - GAP) / 2);

function frameHeight(row: readonly GridPhotograph[], columns: 1 | 2): number {
  const width = frameWidth(columns);
  const tallest = Math.max(...row.map((photograph) => photograph.height / photograph.width));
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
    x: column * (width + GAP),
    y: 0,
    w: width,
    h: height + CAPTION_HEIGHT,
    photograph: {
      key: photograph.rendition,
      ...(photograph.renditionBytes === undefined ? {} : { bytes: photograph.renditionBytes }),
      frameHeight: height,
      label: `Photograph ${photograph.number}`,
      stamp: photograph.stamp,
      element: figure,
      captionElement: child(figure, 'Caption'),
    },
  };
}
