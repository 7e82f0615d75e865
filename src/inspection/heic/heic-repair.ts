const [MAJOR_BRAND, COMPATIBLE_BRANDS] = [8, 16];
/** Bytes of a `clap` box. */
const CROP_BYTES = 40;

/**
 * The file under brands that libheif knows: it refuses others, and single images under the brand of sequences. Undefined
 * where the file has neither an image nor a sequence.
 */
export function rebranded(bytes: Uint8Array): Buffer | undefined {
  const file = Buffer.from(bytes);
  const boxes = topLevelBoxes(file);
  const [type] = boxes;
  const brand = boxes.some(({ name }) => name === 'meta') ? 'mif1' : 'msf1';
  if (type?.name !== 'ftyp' || !boxes.some(({ name }) => name === 'meta' || name === 'moov'))
    return undefined;
  file.write(brand, MAJOR_BRAND, 'latin1');
  for (let at = COMPATIBLE_BRANDS; at + 4 <= type.size; at += 4) file.write(brand, at, 'latin1');
  return file;
}

/**
 * The file without its crops, each of which becomes a rotation by nothing: libheif takes the size after a crop for the
 * coded one, and refuses pictures that are much larger than that.
 */
export function uncropped(bytes: Uint8Array): Buffer {
  const file = Buffer.from(bytes);
  for (let at = file.indexOf('clap', 4, 'latin1'); at !== -1; at = file.indexOf('clap', at + 4, 'latin1')) {
    if (file.readUInt32BE(at - 4) !== CROP_BYTES || at + CROP_BYTES - 4 > file.length) continue;
    file.write('irot\0', at, 'latin1');
  }
  return file;
}

function topLevelBoxes(file: Buffer): { name: string; size: number }[] {
  const boxes: { name: string; size: number }[] = [];
  for (let at = 0; at + 16 <= file.length;) {
    const short = file.readUInt32BE(at);
    const size = short === 1 ? Number(file.readBigUInt64BE(at + 8)) : short;
    boxes.push({ name: file.toString('latin1', at + 4, at + 8), size });
    if (size < 8) break;
    at += size;
  }
  return boxes;
}
