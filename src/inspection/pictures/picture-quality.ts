/** Warnings to the photographer, who can still take another picture; never a refusal. */
export type QualityWarning = 'too_dark' | 'blurred' | 'tiny';

/** A small grey copy of a picture: one byte a pixel, rows one after another. */
export interface GreyPicture {
  pixels: Uint8Array;
  width: number;
  height: number;
}

/** The long side in pixels below which a print is too coarse. */
const TINY = 320;
const DARK_MEAN = 28;
const DARK_BRIGHTEST = 70;
/** A picture with less contrast than this (a blank wall) has no edges to be blurred. */
const FLAT_DEVIATION = 12;
/** The least edge sharpness of a picture in focus, relative to its contrast (measured: 2 to 4, blurred 0.1). */
const BLURRED_EDGES = 0.3;

/** Judges brightness and sharpness. `longSide` is that of the original in pixels. */
export function judgeQuality(grey: GreyPicture, longSide: number): QualityWarning[] {
  const { mean, deviation } = spread(grey.pixels);
  const warnings: QualityWarning[] = [];
  if (longSide < TINY) warnings.push('tiny');
  if (mean < DARK_MEAN && percentile(grey.pixels, 0.98) < DARK_BRIGHTEST) warnings.push('too_dark');
  else if (longSide >= TINY && deviation >= FLAT_DEVIATION && sharpness(grey) < BLURRED_EDGES * deviation) {
    warnings.push('blurred');
  }
  return warnings;
}

/** Differences of brightness below this depend on the JPEG quality. */
const NOISE = 3;
/** The least number of bits of each value in a hash that tells a picture from others. */
const LEAST_BITS = 4;

/**
 * Returns a 64-bit difference hash in hex, equal for the same picture at another size or quality. Undefined for pictures
 * without contrast, or with none from left to right (a wall above a floor, a wall beside a window): they would all be equal.
 */
export function perceptualHash(grey: GreyPicture): string | undefined {
  if (spread(grey.pixels).deviation < FLAT_DEVIATION) return undefined;
  let hash = 0n;
  let bits = 0;
  for (let row = 0; row < 8; row++) {
    for (let column = 0; column < 8; column++) {
      const brighter = cell(grey, column, row) > cell(grey, column + 1, row) + NOISE;
      hash = (hash << 1n) | (brighter ? 1n : 0n);
      if (brighter) bits += 1;
    }
  }
  if (Math.min(bits, 64 - bits) < LEAST_BITS) return undefined;
  return hash.toString(16).padStart(16, '0');
}

/** Mean brightness of one cell of a grid of nine by eight. */
function cell({ pixels, width, height }: GreyPicture, column: number, row: number): number {
  const left = Math.floor((column * width) / 9);
  const right = Math.max(left + 1, Math.floor(((column + 1) * width) / 9));
  const top = Math.floor((row * height) / 8);
  const bottom = Math.max(top + 1, Math.floor(((row + 1) * height) / 8));
  let sum = 0;
  for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) sum += pixels[y * width + x] ?? 0;
  return sum / ((right - left) * (bottom - top));
}

function spread(pixels: Uint8Array): { mean: number; deviation: number } {
  let sum = 0;
  let squares = 0;
  for (const value of pixels) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / pixels.length;
  return { mean, deviation: Math.sqrt(Math.max(0, squares / pixels.length - mean * mean)) };
}

function percentile(pixels: Uint8Array | Uint16Array, part: number): number {
  const counts = new Uint32Array(1021);
  for (const value of pixels) counts[value]! += 1;
  let seen = 0;
  for (let value = 0; value < counts.length; value++) {
    seen += counts[value]!;
    if (seen >= part * pixels.length) return value;
  }
  return 0;
}

/** Returns the 99th percentile of the second difference over both directions, 0 to 1020. */
function sharpness({ pixels, width, height }: GreyPicture): number {
  const turns = new Uint16Array(Math.max(1, (width - 2) * (height - 2)));
  let index = 0;
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      const around = pixels[at - 1]! + pixels[at + 1]! + pixels[at - width]! + pixels[at + width]!;
      turns[index++] = Math.abs(4 * pixels[at]! - around);
    }
  }
  return percentile(turns, 0.99);
}
