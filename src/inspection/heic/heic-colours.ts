/** Colour coding by ITU-T H.273: matrix coefficients, range, primaries and transfer characteristics. */
export interface HeicColours {
  readonly matrix: number;
  readonly fullRange: boolean;
  readonly primaries: number;
  readonly transfer: number;
  /** Chromaticities of red, green, blue and white. */
  readonly chromaticities?: readonly number[];
}

/** libheif's default for a picture without colour information: BT.601, full range, sRGB. */
export const USUAL_COLOURS: HeicColours = { matrix: 6, fullRange: true, primaries: 1, transfer: 13 };

/** Means of one row, 0 to 255; colours are absent from a grey picture. */
export interface CodedRow {
  readonly y: Float32Array;
  readonly cb?: Float32Array;
  readonly cr?: Float32Array;
}

/** Writes red, green and blue of a row, 0 to 255, three to a pixel. */
export type RowDecoder = (row: CodedRow, rgb: Float32Array) => void;

const [IDENTITY, YCGCO, BY_PRIMARIES] = [0, 8, 12];

export function rowDecoder(colours: HeicColours): RowDecoder {
  const { fullRange, matrix } = colours;
  const [black, scale] = fullRange ? [0, 1] : [16, 255 / 219];
  const colourScale = fullRange ? 1 : 255 / 224;
  if (matrix === IDENTITY) {
    return ({ y, cb = y, cr = y }, rgb) => {
      for (let x = 0, at = 0; x < y.length; x++) {
        rgb[at++] = limit((cr[x]! - black) * scale);
        rgb[at++] = limit((y[x]! - black) * scale);
        rgb[at++] = limit((cb[x]! - black) * scale);
      }
    };
  }
  const [blueness, redness] = matrix === YCGCO ? [YCGCO_CG, YCGCO_CO] : differences(sharesOf(colours));
  return ({ y, cb, cr }, rgb) => {
    for (let x = 0, at = 0; x < y.length; x++) {
      const light = (y[x]! - black) * scale;
      const blue = cb ? (cb[x]! - 128) * colourScale : 0;
      const red = cr ? (cr[x]! - 128) * colourScale : 0;
      for (let channel = 0; channel < 3; channel++) {
        rgb[at++] = limit(light + blueness[channel]! * blue + redness[channel]! * red);
      }
    }
  };
}

const limit = (value: number): number => Math.min(255, Math.max(0, value));

type Channels = readonly [red: number, green: number, blue: number];

/** The first difference of YCgCo is the green one, the second the orange one. */
const [YCGCO_CG, YCGCO_CO]: readonly [Channels, Channels] = [
  [-1, 1, -1],
  [1, 0, -1],
];

/** Shares of red and blue in luminance, by matrix coefficients; anything else is BT.601. */
const SHARES: ReadonlyMap<number, readonly [red: number, blue: number]> = new Map([
  [1, [0.2126, 0.0722]],
  [4, [0.3, 0.11]],
  [7, [0.212, 0.087]],
  [9, [0.2627, 0.0593]],
  [10, [0.2627, 0.0593]],
]);
const BT601 = [0.299, 0.114] as const;
/** Shares of red and blue in luminance by primaries, for matrices that follow them. */
const SHARES_OF_PRIMARIES: ReadonlyMap<number, readonly [red: number, blue: number]> = new Map([
  [1, [0.2126, 0.0722]],
  [9, [0.2627, 0.0593]],
  [12, [0.229, 0.0793]],
]);

const sharesOf = ({ matrix, primaries }: HeicColours): readonly [red: number, blue: number] =>
  (matrix === BY_PRIMARIES ? SHARES_OF_PRIMARIES.get(primaries) : SHARES.get(matrix)) ?? BT601;

/** Weights of the blue and of the red difference in each channel. */
function differences([kr, kb]: readonly [number, number]): readonly [Channels, Channels] {
  const [toRed, toBlue] = [2 * (1 - kr), 2 * (1 - kb)];
  const green = 1 - kr - kb;
  return [
    [0, (-toBlue * kb) / green, toBlue],
    [toRed, (-toRed * kr) / green, 0],
  ];
}
