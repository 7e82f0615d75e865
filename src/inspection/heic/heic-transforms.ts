import type { LibHeif } from './heic-library.js';

export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * The mapping from the coded picture to the upright one: the part that is shown, and the steps (`x`, `y`) in the upright
 * picture for one step to the right and one step down in the coded picture.
 */
export interface Placement {
  readonly shown: Rectangle;
  readonly right: readonly [x: number, y: number];
  readonly down: readonly [x: number, y: number];
}

export const asCoded = (width: number, height: number): Placement => ({
  shown: { left: 0, top: 0, width, height },
  right: [1, 0],
  down: [0, 1],
});

const fourCharacters = (name: string): number => Buffer.from(name, 'latin1').readUInt32BE();
const [MIRROR, ROTATION, CROP] = ['imir', 'irot', 'clap'].map(fourCharacters);
const MOST_TRANSFORMS = 16;

/** The placement of an image item, and whether the file itself says how the picture is turned. */
interface ReadPlacement {
  readonly placement: Placement;
  readonly saysTurn: boolean;
}

/** Reads mirror, rotation and crop of an image item, in the order in which they apply. */
export function readPlacement(
  libheif: LibHeif,
  ...[context, item, width, height]: [context: number, item: number, width: number, height: number]
): ReadPlacement {
  const ids = libheif._malloc(4 * (MOST_TRANSFORMS + 4));
  try {
    const count = libheif._heif_item_get_transformation_properties(context, item, ids, MOST_TRANSFORMS);
    let placement = asCoded(width, height);
    let saysTurn = false;
    for (let index = 0; index < count; index++) {
      const property = libheif.HEAP32[(ids >> 2) + index]!;
      const of = [context, item, property] as const;
      const type = libheif._heif_item_get_property_type(...of) >>> 0;
      saysTurn ||= type === MIRROR || type === ROTATION;
      if (type === MIRROR)
        placement = mirrored(placement, libheif._heif_item_get_property_transform_mirror(...of));
      else if (type === ROTATION) {
        const angle = libheif._heif_item_get_property_transform_rotation_ccw(...of);
        for (let turned = 0; turned < angle; turned += 90) placement = turnedLeft(placement);
      } else if (type === CROP) {
        const borders = ids + 4 * MOST_TRANSFORMS;
        const at = [borders, borders + 4, borders + 8, borders + 12] as const;
        libheif._heif_item_get_property_transform_crop_borders(...of, ...placedSize(placement), ...at);
        const [left, top, right, bottom] = at.map((each) => Math.max(0, libheif.HEAP32[each >> 2]!));
        placement = cropped(placement, [left!, top!, right!, bottom!]);
      }
    }
    return { placement, saysTurn };
  } finally {
    libheif._free(ids);
  }
}

/** Width and height of the upright picture. */
export function placedSize({ shown, right }: Placement): [width: number, height: number] {
  return right[0] === 0 ? [shown.height, shown.width] : [shown.width, shown.height];
}

const HORIZONTALLY = 1;

function mirrored({ shown, right, down }: Placement, direction: number): Placement {
  const [x, y] = direction === HORIZONTALLY ? [-1, 1] : [1, -1];
  return { shown, right: [x * right[0], y * right[1]], down: [x * down[0], y * down[1]] };
}

/** Returns the placement turned by 90 degrees anticlockwise. */
function turnedLeft({ shown, right, down }: Placement): Placement {
  return { shown, right: [right[1], -right[0]], down: [down[1], -down[0]] };
}

/** A mirror from left to right, then quarter turns to the left, by EXIF orientation from 1 on. */
const TURNS: readonly (readonly [mirrored: boolean, left: number])[] = [
  [false, 0],
  [true, 0],
  [false, 2],
  [true, 2],
  [true, 1],
  [false, 3],
  [true, 3],
  [false, 1],
];

/** Returns the placement under an EXIF orientation, 1 to 8. */
export function oriented(placement: Placement, orientation: number): Placement {
  const [isMirrored, left] = TURNS[orientation - 1]!;
  let upright = isMirrored ? mirrored(placement, HORIZONTALLY) : placement;
  for (let turn = 0; turn < left; turn++) upright = turnedLeft(upright);
  return upright;
}

type Borders = readonly [left: number, top: number, right: number, bottom: number];

function cropped({ shown, right, down }: Placement, [west, north, east, south]: Borders): Placement {
  const bordersAt = ([x, y]: readonly [number, number]): [before: number, after: number] => {
    if (x !== 0) return x > 0 ? [west, east] : [east, west];
    return y > 0 ? [north, south] : [south, north];
  };
  const [left, beyond] = bordersAt(right);
  const [top, below] = bordersAt(down);
  return {
    shown: {
      left: shown.left + left,
      top: shown.top + top,
      width: shown.width - left - beyond,
      height: shown.height - top - below,
    },
    ...{ right, down },
  };
}
