import { firstEntry, TiffReader } from '../exif/tiff-directory.js';

const EXTRA_SAMPLES = 338;
/** The values of the tag that mark an extra sample as transparency. */
const TRANSPARENCY: ReadonlySet<number> = new Set([1, 2]);

/** Returns true if a TIFF's tag marks its first extra sample as transparency; false without the tag. */
export function isTransparent(bytes: Buffer): boolean {
  const reader = new TiffReader(bytes);
  const entry = firstEntry(reader, EXTRA_SAMPLES);
  if (entry === undefined) return false;
  // Up to two values stand in the entry itself.
  const at = entry.count > 2 ? reader.long(entry.at) : entry.at;
  return at + 2 <= reader.length && TRANSPARENCY.has(reader.short(at));
}

/** Reduces each pixel to the first three of its `channels` samples, in place. */
export function withoutExtraSamples(pixels: Buffer, channels: number): Buffer {
  let to = 0;
  for (let from = 0; from + channels <= pixels.length; from += channels) {
    pixels[to++] = pixels[from]!;
    pixels[to++] = pixels[from + 1]!;
    pixels[to++] = pixels[from + 2]!;
  }
  return pixels.subarray(0, to);
}
