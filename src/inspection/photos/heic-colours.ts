/** Samples of one kind: `data` holds rows of `stride` bytes; samples of more than 8 bits take two, the lower first. */
export interface HeicPlane {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly stride: number;
  readonly bits_per_pixel: number;
}

export interface HeicPlanes {
  readonly y: HeicPlane;
  readonly cb?: HeicPlane;
  readonly cr?: HeicPlane;
  readonly alpha?: HeicPlane;
}

/** How luminance and colours were made of red, green and blue: ITU-T H.273, matrix coefficients and range. */
export interface HeicColours {
  readonly matrix: number;
  readonly fullRange: boolean;
}

/** Shares of red and blue in luminance, by matrix coefficients; anything else is BT.601. */
const SHARES: ReadonlyMap<number, readonly [red: number, blue: number]> = new Map([
  [1, [0.2126, 0.0722]],
  [9, [0.2627, 0.0593]],
]);
const BT601 = [0.299, 0.114] as const;

interface Shrunk {
  data: Buffer;
  width: number;
  height: number;
}

/** RGB on white, each pixel the mean of a square of the picture: as many as leave it at least `side` long. */
export function shrinkToRgb(planes: HeicPlanes, colours: HeicColours, side: number): Shrunk {
  const { y } = planes;
  const factor = Math.max(1, Math.floor(Math.max(y.width, y.height) / side));
  const width = Math.max(1, Math.floor(y.width / factor));
  const height = Math.max(1, Math.floor(y.height / factor));
  const data = Buffer.allocUnsafe(width * height * 3);
  const rows = [y, planes.cb, planes.cr, planes.alpha].map((plane) => plane && new MeanRow(plane, y, width));
  for (let row = 0; row < height; row++) {
    for (const mean of rows) mean?.read(row * factor, factor);
    writeRow(data, row * width * 3, rows, colours);
  }
  return { data, width, height };
}

type Rows = readonly (MeanRow | undefined)[];

function writeRow(data: Buffer, from: number, [luma, blue, red, alpha]: Rows, colours: HeicColours): void {
  const [kr, kb] = SHARES.get(colours.matrix) ?? BT601;
  const [black, lumaScale, colourScale] = colours.fullRange ? [0, 1, 1] : [16, 255 / 219, 255 / 224];
  const [toRed, toBlue] = [2 * (1 - kr) * colourScale, 2 * (1 - kb) * colourScale];
  const [redToGreen, blueToGreen] = [(toRed * kr) / (1 - kr - kb), (toBlue * kb) / (1 - kr - kb)];
  let at = from;
  for (let column = 0; column < luma!.means.length; column++) {
    const light = (luma!.means[column]! - black) * lumaScale;
    const cb = blue ? blue.means[column]! - 128 : 0;
    const cr = red ? red.means[column]! - 128 : 0;
    const opaque = alpha ? alpha.means[column]! / 255 : 1;
    data[at++] = onWhite(light + toRed * cr, opaque);
    data[at++] = onWhite(light - redToGreen * cr - blueToGreen * cb, opaque);
    data[at++] = onWhite(light + toBlue * cb, opaque);
  }
}

const onWhite = (value: number, opaque: number): number =>
  Math.round(255 + opaque * (Math.min(255, Math.max(0, value)) - 255));

/** Means over squares of one plane, a row of squares at a time; a plane with fewer samples than luminance is stretched. */
class MeanRow {
  /** 0 to 255. */
  readonly means: Float32Array;
  private readonly wide: boolean;
  private readonly scale: number;
  private readonly across: number;
  private readonly down: number;

  constructor(
    private readonly plane: HeicPlane,
    luma: HeicPlane,
    width: number,
  ) {
    this.means = new Float32Array(width);
    this.wide = plane.bits_per_pixel > 8;
    this.scale = 255 / (2 ** plane.bits_per_pixel - 1);
    this.across = plane.width < luma.width ? 2 : 1;
    this.down = plane.height < luma.height ? 2 : 1;
  }

  /** `top` and `size` are in luminance samples. */
  read(top: number, size: number): void {
    const { plane, across, down, means } = this;
    const first = Math.min(plane.height - 1, Math.floor(top / down));
    const last = Math.min(plane.height - 1, Math.floor((top + size - 1) / down));
    for (let column = 0; column < means.length; column++) {
      const left = Math.min(plane.width - 1, Math.floor((column * size) / across));
      const right = Math.min(plane.width - 1, Math.floor((column * size + size - 1) / across));
      means[column] =
        (this.sum(left, right, first, last) * this.scale) / ((right - left + 1) * (last - first + 1));
    }
  }

  private sum(left: number, right: number, first: number, last: number): number {
    const { data, stride } = this.plane;
    let sum = 0;
    for (let y = first; y <= last; y++) {
      const row = y * stride;
      if (this.wide) {
        for (let x = left; x <= right; x++) sum += data[row + 2 * x]! + 256 * data[row + 2 * x + 1]!;
      } else for (let x = left; x <= right; x++) sum += data[row + x]!;
    }
    return sum;
  }
}
