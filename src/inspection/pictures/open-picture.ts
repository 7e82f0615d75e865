import sharp, { type Metadata } from 'sharp';
import type { Camera } from '../../api/inspections.js';
import { readCamera } from './camera.js';
import { readHeicHeader } from './heic-picture.js';
import { type JpegStructure, readJpeg } from './jpeg-structure.js';
import type { PictureFormat } from './picture-format.js';
import type { PictureHeader } from './picture-need.js';
import { FaultyPicture, type PictureFault, type PictureSize, undecodable } from './picture.js';
import { isTransparent } from './tiff-samples.js';

/** The header of a picture. Width and height are upright. */
export interface OpenedPicture extends PictureSize {
  readonly header: PictureHeader;
  /** Absent for a JPEG whose header only the decoder can read, and for other formats. */
  readonly jpeg?: JpegStructure;
  /** The most pixels that may be decoded. */
  readonly limit: number;
}

/** The factor by which the pixel limit rises for pictures that shrink while decoding: single-scan JPEG, tiled HEIC. */
const SHRINKING_FACTOR = 5;

/** The place of the major brand in an ISO base media file. */
const MAJOR_BRAND = 8;

/**
 * Reads the header. Throws `FaultyPicture` for too many pixels or none, and sharp's error if there is no header. Gives
 * the bytes of an AVIF the brand under which sharp opens them.
 */
export async function openPicture(
  bytes: Buffer,
  format: PictureFormat,
  maxPixels: number,
): Promise<OpenedPicture> {
  const jpeg = format === 'jpeg' ? readJpeg(bytes) : undefined;
  if (jpeg !== undefined) {
    const { width, height } = jpeg;
    const limit = jpeg.baseline && jpeg.scans <= 1 ? maxPixels * SHRINKING_FACTOR : maxPixels;
    // EXIF orientations 5 to 8 swap width and height.
    const upright = jpeg.orientation >= 5 ? { width: height, height: width } : { width, height };
    return checked({
      format,
      ...upright,
      ...cameraIn(await exifOf(bytes)),
      limit,
      jpeg,
      header: { format, width, height, bytes: bytes.length, jpeg },
    });
  }
  if (format === 'heic') {
    const { isTiled, exif, ...header } = readHeicHeader(bytes);
    const { width, height } = header;
    const limit = isTiled ? maxPixels * SHRINKING_FACTOR : maxPixels;
    return checked({ format, width, height, ...cameraIn(exif), limit, header });
  }
  // Sharp does not open the brand of image sequences, `avis`, though it reads their primary image.
  if (format === 'avif') bytes.write('avif', MAJOR_BRAND, 'latin1');
  const metadata = await sharp(bytes, { failOn: 'none', limitInputPixels: false }).metadata();
  if (UNDECODED_SAMPLES.has(metadata.depth) && metadata.space !== LAB) throw new FaultyPicture(UNDECODED);
  const { width, height } = metadata.autoOrient;
  const simple = format === 'webp' && isSimpleWebp(bytes);
  const extraSamples = format === 'tiff' && metadata.hasAlpha && hasExtraSamples(bytes, metadata);
  const header = { format, width, height, bytes: bytes.length, metadata, simple, extraSamples };
  const exif = EXIF_OF_FILE[format]?.(bytes) ?? metadata.exif;
  return checked({ format, width, height, ...cameraIn(exif), limit: maxPixels, header });
}

/** The EXIF blocks that sharp does not read: a TIFF is one itself, and that of a PNG may follow its pixels. */
const EXIF_OF_FILE: Readonly<Partial<Record<PictureFormat, (bytes: Buffer) => Buffer | undefined>>> = {
  tiff: (bytes) => bytes,
  png: exifChunk,
};

function exifChunk(png: Buffer): Buffer | undefined {
  for (let at = 8; at + 12 <= png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'eXIf') return png.subarray(at + 8, at + 8 + length);
    at += 12 + length;
  }
  return undefined;
}

/** Returns the EXIF block of a JPEG, read by sharp; undefined if sharp cannot open the file. */
const exifOf = (jpeg: Buffer): Promise<Buffer | undefined> =>
  sharp(jpeg, { failOn: 'none', limitInputPixels: false })
    .metadata()
    .then(({ exif }) => exif)
    .catch(() => undefined);

function cameraIn(exif: Buffer | undefined): { camera?: Camera } {
  const camera = readCamera(exif);
  return camera === undefined ? {} : { camera };
}

function checked(opened: OpenedPicture): OpenedPicture {
  const { width, height, limit } = opened;
  if (width < 1 || height < 1) throw undecodable('has no size');
  if (width * height <= limit) return opened;
  throw new FaultyPicture({
    code: 'photo_too_large',
    message: `The picture has ${width} × ${height} pixels, more than the ${limit / 1e6} megapixels that are accepted. Send it smaller.`,
  });
}

/** The colour space of a TIFF whose signed samples sharp converts, but whose transparency it loses. */
const LAB = 'labs';

/** The samples of a TIFF that sharp reads as if they were of eight bits, most of them black or white. */
const UNDECODED_SAMPLES: ReadonlySet<string | undefined> = new Set([
  ...['char', 'short', 'int', 'uint', 'complex', 'dpcomplex'],
]);

const UNDECODED: PictureFault = {
  code: 'undecodable',
  message: 'The picture is a TIFF with samples of a kind that is not decoded. Send it as a JPEG.',
};

/** Returns true for samples beside colour and transparency, which sharp would take for transparency. */
const hasExtraSamples = (bytes: Buffer, { channels, space }: Metadata): boolean =>
  space === LAB || !isTransparent(bytes) || channels > (COLOURS[space] ?? 3) + 1;

const COLOURS: Readonly<Record<string, number>> = { 'b-w': 1, grey16: 1, cmyk: 4 };

const BUFFERED_CHUNKS: ReadonlySet<string> = new Set(['VP8L', 'ALPH', 'ANIM', 'ANMF']);

/** Returns true for lossy WebP without transparency or animation, which is decoded row by row. */
function isSimpleWebp(bytes: Buffer): boolean {
  for (let at = 12; at + 8 <= bytes.length;) {
    const name = bytes.toString('latin1', at, at + 4);
    if (BUFFERED_CHUNKS.has(name)) return false;
    const length = bytes.readUInt32LE(at + 4);
    at += 8 + length + (length & 1);
  }
  return true;
}
