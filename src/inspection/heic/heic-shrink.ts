import { type HeicColours, rowDecoder } from './heic-colours.js';
import { gamutConverter } from './heic-gamut.js';
import { type Band, type HeicPlanes, MeanRow } from './heic-means.js';
import { type Placement, placedSize } from './heic-transforms.js';

/** Upright pixels of a picture, three bytes each (RGB), without transparency. */
export interface RawPicture {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

export interface ShrinkOptions {
  readonly placement: Placement;
  readonly colours: HeicColours;
  /** True if an ICC profile describes the colours: they are not converted. */
  readonly hasProfile: boolean;
  readonly isPremultiplied: boolean;
  /** The least long side of the result; a smaller picture retains its size. */
  readonly side: number;
}

/**
 * Converts the bands of a coded picture, top to bottom, to an upright picture on white. Each pixel is the mean of a
 * square of the coded picture.
 */
export function shrink(bands: Iterable<Band>, options: ShrinkOptions): RawPicture {
  const { placement, side } = options;
  const { shown } = placement;
  const factor = Math.max(1, Math.floor(Math.max(shown.width, shown.height) / side));
  const columns = Math.max(1, Math.floor(shown.width / factor));
  const rows = Math.max(1, Math.floor(shown.height / factor));
  const writer = rowWriter(columns, rows, options);
  let means: ReturnType<typeof meansOf> | undefined;
  let top = 0;
  for (const band of bands) {
    const { planes } = band[0]!;
    means ??= meansOf(planes, { left: shown.left, columns, factor });
    const last = Math.min(top + planes.y.height, shown.top + rows * factor);
    for (let y = Math.max(top, shown.top); y < last; y++) {
      for (const mean of means) mean?.add(band, y - top, y === shown.top);
      const shownRow = y - shown.top;
      if ((shownRow + 1) % factor === 0) writer.write((shownRow + 1) / factor - 1, means);
    }
    top += planes.y.height;
  }
  return writer.picture;
}

type Means = readonly [y: MeanRow, ...others: (MeanRow | undefined)[]];

function meansOf(planes: HeicPlanes, across: { left: number; columns: number; factor: number }): Means {
  const [y, cb, cr, alpha] = (['y', 'cb', 'cr', 'alpha'] as const).map((name) =>
    planes[name] === undefined ? undefined : new MeanRow(name, planes, across),
  );
  return [y!, cb, cr, alpha];
}

function rowWriter(columns: number, rows: number, options: ShrinkOptions) {
  const { right, down } = options.placement;
  const [width, height] = placedSize({
    ...options.placement,
    shown: { left: 0, top: 0, width: columns, height: rows },
  });
  const data = Buffer.alloc(width * height * 3);
  const across = 3 * (right[0] + right[1] * width);
  const downwards = 3 * (down[0] + down[1] * width);
  const startX = right[0] < 0 || down[0] < 0 ? width - 1 : 0;
  const startY = right[1] < 0 || down[1] < 0 ? height - 1 : 0;
  const start = 3 * (startX + startY * width);
  const toRgb = rowDecoder(options.colours);
  const convert = options.hasProfile ? undefined : gamutConverter(options.colours);
  const rgb = new Float32Array(columns * 3);

  const write = (row: number, [y, cb, cr, alpha]: Means): void => {
    const light = y.take();
    const colours = cb && cr ? { cb: cb.take(), cr: cr.take() } : {};
    toRgb({ y: light, ...colours }, rgb);
    convert?.(rgb);
    if (alpha) putOnWhite(rgb, alpha.take(), options.isPremultiplied);
    for (let x = 0, at = start + row * downwards; x < columns; x++, at += across) {
      data[at] = rgb[3 * x]! + 0.5;
      data[at + 1] = rgb[3 * x + 1]! + 0.5;
      data[at + 2] = rgb[3 * x + 2]! + 0.5;
    }
  };
  return { write, picture: { data, width, height } };
}

function putOnWhite(rgb: Float32Array, alpha: Float32Array, isPremultiplied: boolean): void {
  for (let at = 0; at < rgb.length; at++) {
    const opaque = alpha[Math.floor(at / 3)]! / 255;
    const value = isPremultiplied ? rgb[at]! : rgb[at]! * opaque;
    rgb[at] = Math.min(255, value + 255 * (1 - opaque));
  }
}
