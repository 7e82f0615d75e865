/** Bytes of the fixed part of the file below. */
const HEADER = 8;
const ENTRY = 12;
const [SHORT, LONG, UNDEFINED] = [3, 4, 7];
/** The byte range of the colour space in an ICC header. */
const [COLOURS_FROM, COLOURS_TO] = [16, 20];

/**
 * Returns an uncompressed TIFF of RGB pixels with their ICC profile: sharp accepts a profile for raw pixels only in a
 * file. Undefined if the profile is neither RGB nor grey.
 */
export function taggedRaster(
  { data, width, height }: { data: Buffer; width: number; height: number },
  profile: Buffer,
): Buffer | undefined {
  const kind = profile.toString('latin1', COLOURS_FROM, COLOURS_TO);
  if (kind !== 'RGB ' && kind !== 'GRAY') return undefined;
  const channels = kind === 'RGB ' ? 3 : 1;
  const pixels = channels === 3 ? data : data.filter((_, index) => index % 3 === 0);
  const entries = 10;
  const bitsAt = HEADER + 2 + entries * ENTRY + 4;
  const profileAt = bitsAt + 6;
  const pixelsAt = profileAt + profile.length;
  const file = Buffer.alloc(pixelsAt);
  file.write('II*\0', 'latin1');
  file.writeUInt32LE(HEADER, 4);
  file.writeUInt16LE(entries, HEADER);
  let at = HEADER + 2;
  const entry = (tag: number, type: number, count: number, value: number): void => {
    file.writeUInt16LE(tag, at);
    file.writeUInt16LE(type, at + 2);
    file.writeUInt32LE(count, at + 4);
    file.writeUInt32LE(value, at + 8);
    at += ENTRY;
  };
  entry(256, LONG, 1, width);
  entry(257, LONG, 1, height);
  // The bits of three samples do not fit into the entry; those of one do.
  entry(258, SHORT, channels, channels === 3 ? bitsAt : 8);
  entry(259, SHORT, 1, 1);
  entry(262, SHORT, 1, channels === 3 ? 2 : 1);
  entry(273, LONG, 1, pixelsAt);
  entry(277, SHORT, 1, channels);
  entry(278, LONG, 1, height);
  entry(279, LONG, 1, pixels.length);
  entry(34_675, UNDEFINED, profile.length, profileAt);
  for (let bits = 0; bits < 3; bits++) file.writeUInt16LE(8, bitsAt + 2 * bits);
  profile.copy(file, profileAt);
  return Buffer.concat([file, pixels]);
}
