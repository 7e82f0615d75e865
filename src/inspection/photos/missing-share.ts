/** How far a channel may vary in a part that a decoder filled because its data is missing. */
const TOLERANCE = 2;

/**
 * The share of a damaged picture that is missing at its end, 0 to 1: rows at the bottom that are wholly of one colour,
 * as decoders fill what they cannot read. `pixels` has three channels and is not turned yet.
 */
export function missingShare(
  pixels: Uint8Array,
  { width, height }: { width: number; height: number },
): number {
  const row = width * 3;
  const fill = pixels.subarray(pixels.length - 3);
  for (let y = height - 1; y >= 0; y--) {
    for (let at = y * row; at < (y + 1) * row; at++) {
      if (Math.abs(pixels[at]! - fill[at % 3]!) > TOLERANCE) return (height - 1 - y) / height;
    }
  }
  return 1;
}
