/** The formats of pictures that are accepted (contract section 5). */
export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'avif' | 'heic' | 'gif' | 'tiff';

/** File extension and media type of an original by its detected format, not by the sender's name for it. */
export const PICTURE_TYPES: Readonly<Record<PictureFormat, { extension: string; mime: string }>> = {
  jpeg: { extension: '.jpg', mime: 'image/jpeg' },
  png: { extension: '.png', mime: 'image/png' },
  webp: { extension: '.webp', mime: 'image/webp' },
  avif: { extension: '.avif', mime: 'image/avif' },
  heic: { extension: '.heic', mime: 'image/heic' },
  gif: { extension: '.gif', mime: 'image/gif' },
  tiff: { extension: '.tif', mime: 'image/tiff' },
};

const ascii = (head: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...head.subarray(from, to));

/** The beginnings of TIFF and of BigTIFF, whose offsets have eight bytes. */
const TIFF_HEADS: ReadonlySet<string> = new Set(['II*\0', 'MM\0*', 'II+\0', 'MM\0+']);

const AVIF_BRANDS: ReadonlySet<string> = new Set(['avif', 'avis']);
const HEIF_BRANDS: ReadonlySet<string> = new Set([
  ...['heic', 'heix', 'hevc', 'hevx', 'heim', 'heis', 'hevm', 'hevs', 'mif1', 'mif2', 'msf1', 'miaf', 'heif'],
]);

/** Returns the format of a picture by its first 64 bytes or more; undefined for an unsupported one. */
export function sniffPicture(head: Uint8Array): PictureFormat | undefined {
  if (head[0] === 0xff && head[1] === 0xd8) return 'jpeg';
  if (ascii(head, 0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (ascii(head, 0, 4) === 'RIFF' && ascii(head, 8, 12) === 'WEBP') return 'webp';
  if (/^GIF8[79]a$/.test(ascii(head, 0, 6))) return 'gif';
  if (TIFF_HEADS.has(ascii(head, 0, 4))) return 'tiff';
  return ascii(head, 4, 8) === 'ftyp' ? sniffHeif(head) : undefined;
}

/** Returns the codec of an ISO base media file by its major or compatible brands. Videos have none of these. */
function sniffHeif(head: Uint8Array): PictureFormat | undefined {
  const size = new DataView(head.buffer, head.byteOffset, head.byteLength).getUint32(0);
  const brands: string[] = [];
  for (let at = 8; at + 4 <= Math.min(size, head.length, 128); at += 4) {
    if (at !== 12) brands.push(ascii(head, at, at + 4));
  }
  if (brands.some((brand) => AVIF_BRANDS.has(brand))) return 'avif';
  return brands.some((brand) => HEIF_BRANDS.has(brand)) ? 'heic' : undefined;
}
