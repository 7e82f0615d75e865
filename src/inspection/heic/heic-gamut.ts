import type { HeicColours } from './heic-colours.js';

/** Converts red, green and blue of a row, 0 to 255, to sRGB in place. */
export type GamutConverter = (rgb: Float32Array) => void;

/**
 * Returns the conversion to sRGB for a picture whose colours are given by H.273 code points, not by an ICC profile;
 * undefined if they count as sRGB. Colours outside sRGB are clipped, and so is light above white.
 */
export function gamutConverter({
  primaries,
  transfer,
  chromaticities,
}: HeicColours): GamutConverter | undefined {
  const toLight = TRANSFERS.get(transfer);
  const wide = WIDE.has(primaries) ? chromaticities : undefined;
  if (wide === undefined && toLight === undefined) return undefined;
  const [rr, rg, rb, gr, gg, gb, br, bg, bb] = wide === undefined ? UNCHANGED : toSrgb(wide);
  const [, , , redLuminance, greenLuminance, blueLuminance] = toXyz(wide ?? SRGB);
  const light = tableOf(toLight ?? srgbToLight);
  const hybrid = transfer === HLG;
  return (rgb) => {
    for (let at = 0; at < rgb.length; at += 3) {
      let r = light[Math.round(rgb[at]! * PER_LEVEL)]!;
      let g = light[Math.round(rgb[at + 1]! * PER_LEVEL)]!;
      let b = light[Math.round(rgb[at + 2]! * PER_LEVEL)]!;
      if (hybrid) {
        const gain = hybridGain(redLuminance * r + greenLuminance * g + blueLuminance * b);
        [r, g, b] = [r * gain, g * gain, b * gain];
      }
      rgb[at] = encoded(rr * r + rg * g + rb * b);
      rgb[at + 1] = encoded(gr * r + gg * g + gb * b);
      rgb[at + 2] = encoded(br * r + bg * g + bb * b);
    }
  };
}

/** Primaries wider than those of sRGB: BT.2020, DCI-P3, Display P3. Encoders name narrower ones for the matrix alone. */
const WIDE: ReadonlySet<number> = new Set([9, 11, 12]);

const [PQ, HLG] = [16, 18];
/** Nits of reference white in HDR pictures (ITU-R BT.2408), and peak nits of PQ and HLG. */
const [WHITE_NITS, PQ_NITS, HLG_NITS] = [203, 10_000, 1_000];

function pqToLight(value: number): number {
  const power = value ** (32 / 2523);
  return (
    (Math.max(0, power - 107 / 128) / (2413 / 128 - (2392 / 128) * power)) ** (8192 / 1305) *
    (PQ_NITS / WHITE_NITS)
  );
}

function hlgToScene(value: number): number {
  if (value <= 0.5) return value ** 2 / 3;
  return (Math.exp((value - 0.55991073) / 0.17883277) + 0.28466892) / 12;
}

/** The gain from scene light to display light by scene luminance (HLG, ITU-R BT.2100). */
const hybridGain = (luminance: number): number => luminance ** 0.2 * (HLG_NITS / WHITE_NITS);

const srgbToLight = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;

/** Linear light by coded value, 0 to 1, for transfer characteristics that decoders do not treat as sRGB. */
const TRANSFERS: ReadonlyMap<number, (value: number) => number> = new Map([
  [4, (value) => value ** 2.2],
  [5, (value) => value ** 2.8],
  [8, (value) => value],
  [PQ, pqToLight],
  [17, (value) => (value ** 2.6 * 52.37) / 48],
  [HLG, hlgToScene],
]);

const PER_LEVEL = 16;
const tableOf = (toLight: (value: number) => number): Float64Array =>
  Float64Array.from({ length: 255 * PER_LEVEL + 1 }, (_, step) => toLight(step / (255 * PER_LEVEL)));

const ENCODED_STEPS = 16_384;
const ENCODED = Float32Array.from({ length: ENCODED_STEPS + 1 }, (_, step) => {
  const light = step / ENCODED_STEPS;
  return 255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055);
});
const encoded = (light: number): number =>
  ENCODED[Math.round(Math.min(1, Math.max(0, light)) * ENCODED_STEPS)]!;

/** Nine numbers, row by row. */
type Matrix = readonly [number, number, number, number, number, number, number, number, number];

const UNCHANGED: Matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1];
/** Chromaticities of red, green, blue and white. */
const SRGB = [0.64, 0.33, 0.3, 0.6, 0.15, 0.06, 0.3127, 0.329];

/** Returns the matrix from RGB to XYZ; full red, green and blue give white of luminance 1. */
function toXyz(chromaticities: readonly number[]): Matrix {
  const [rx, ry, gx, gy, bx, by, wx, wy] = chromaticities as [...Matrix];
  const columns: Matrix = [rx, gx, bx, ry, gy, by, 1 - rx - ry, 1 - gx - gy, 1 - bx - by];
  const [red, green, blue] = times(inverse(columns), [wx / wy, 1, (1 - wx - wy) / wy]);
  return columns.map((value, index) => value * [red, green, blue][index % 3]!) as unknown as Matrix;
}

/** Returns the matrix from RGB of these primaries to sRGB; white stays white. */
function toSrgb(chromaticities: readonly number[]): Matrix {
  const back = inverse(toXyz(SRGB));
  const xyz = toXyz(chromaticities);
  const white = times(xyz, [1, 1, 1]);
  const wanted = times(toXyz(SRGB), [1, 1, 1]);
  const product = [0, 1, 2].map((column) =>
    times(
      back,
      [0, 1, 2].map((row) => (xyz[3 * row + column]! * wanted[row]!) / white[row]!) as unknown as Triple,
    ),
  );
  return [0, 1, 2].flatMap((row) => product.map((column) => column[row]!)) as unknown as Matrix;
}

type Triple = readonly [number, number, number];

const times = ([a, b, c, d, e, f, g, h, i]: Matrix, [x, y, z]: Triple): Triple => [
  a * x + b * y + c * z,
  d * x + e * y + f * z,
  g * x + h * y + i * z,
];

function inverse([a, b, c, d, e, f, g, h, i]: Matrix): Matrix {
  const [p, q, r] = [e * i - f * h, f * g - d * i, d * h - e * g];
  const scale = 1 / (a * p + b * q + c * r);
  const adjugate = [
    p,
    c * h - b * i,
    b * f - c * e,
    q,
    a * i - c * g,
    c * d - a * f,
    r,
    b * g - a * h,
    a * e - b * d,
  ];
  return adjugate.map((value) => value * scale) as unknown as Matrix;
}
