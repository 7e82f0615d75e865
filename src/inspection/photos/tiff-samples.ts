const EXTRA_SAMPLES = 338;
/** Meanings of an extra sample that make it transparency; any other is data beside the colours. */
const TRANSPARENCY: ReadonlySet<number> = new Set([1, 2]);

/** Whether the first extra sample of a TIFF is transparency by its tag; false without one. */
export function isTransparent(bytes: Buffer): boolean {
  const little = bytes[0] === 0x49;
  const short = (at: number) => (little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const long = (at: number) => (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  if (bytes.length < 8) return false;
  const directory = long(4);
  if (directory + 2 > bytes.length) return false;
  for (let entry = directory + 2; entry < directory + 2 + 12 * short(directory); entry += 12) {
    if (entry + 12 > bytes.length) return false;
    if (short(entry) !== EXTRA_SAMPLES) continue;
    // Up to two values stand in the entry itself.
    const at = long(entry + 4) > 2 ? long(entry + 8) : entry + 8;
    return at + 2 <= bytes.length && TRANSPARENCY.has(short(at));
  }
  return false;
}

/** The first three of `channels` samples of each pixel, in the same memory. */
export function withoutExtraSamples(pixels: Buffer, channels: number): Buffer {
  let to = 0;
  for (let from = 0; from + channels <= pixels.length; from += channels) {
    pixels[to++] = pixels[from]!;
    pixels[to++] = pixels[from + 1]!;
    pixels[to++] = pixels[from + 2]!;
  }
  return pixels.subarray(0, to);
}
