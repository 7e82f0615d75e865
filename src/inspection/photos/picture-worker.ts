import { readFile, writeFile } from 'node:fs/promises';
import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { decodeHeic } from './heic-pixels.js';
import { type JpegStructure, readJpeg } from './jpeg-structure.js';
import { type Picture, type PictureResult, type PictureTask, FaultyPicture, undecodable } from './picture.js';
import { type PictureFormat, sniffPicture } from './picture-format.js';
import { type GreyPicture, judgeQuality, perceptualHash } from './picture-quality.js';
import { stripJpeg } from './strip-jpeg.js';

// This thread's console alone: libheif reports broken files there.
console.log = () => undefined;

sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif', 'Tiff'].map((format) => `VipsForeignLoad${format}`),
});

/** An upright JPEG up to this long side is printed as it is; anything else is scaled to at most `PRINT_SIDE`. */
const KEPT_SIDE = 1600;
const PRINT_SIDE = 1280;
/** A baseline JPEG shrinks while it is decoded, so that it may be this many times larger than other pictures. */
const SHRINKING_FACTOR = 5;
const GREY_SIDE = 512;
const PATIENCE_SECONDS = 60;

/**
 * Checks one picture and writes its print rendition: an upright JPEG without metadata. Runs in a worker thread
 * (`PictureWorkers`). Faults of the picture are answered, not thrown; what is thrown is trouble of our own.
 */
export default async function normalise(task: PictureTask): Promise<PictureResult> {
  const bytes = await readFile(task.path);
  try {
    const { rendition, picture } = await prepare(bytes, task.maxPixels);
    await writeFile(task.renditionPath, rendition);
    return { picture };
  } catch (error) {
    if (error instanceof FaultyPicture) return { fault: error.fault };
    throw error;
  }
}

interface Prepared {
  rendition: Buffer;
  picture: Picture;
}

async function prepare(bytes: Buffer, maxPixels: number): Promise<Prepared> {
  if (bytes.length === 0) throw undecodable('is empty');
  const format = sniffPicture(bytes.subarray(0, 128));
  if (format === undefined) {
    throw new FaultyPicture({
      code: 'unsupported_type',
      message: 'This is no picture of a kind that is taken. Send JPEG, PNG, WebP, AVIF, HEIC, GIF or TIFF.',
    });
  }
  const structure = format === 'jpeg' ? readJpeg(bytes) : undefined;
  if (structure === undefined) return scaled(await open(bytes, format, maxPixels), format);
  const limit = structure.baseline ? maxPixels * SHRINKING_FACTOR : maxPixels;
  checkPixels(structure.width, structure.height, limit);
  return (await kept(bytes, structure)) ?? scaled(fromFile(bytes, limit, turned(structure)), format);
}

/** A picture ready to be scaled, with its size once upright. */
interface Opened {
  sharp: Sharp;
  width: number;
  height: number;
}

const decoding = (maxPixels: number): SharpOptions => ({ failOn: 'truncated', limitInputPixels: maxPixels });

const fromFile = (bytes: Buffer, maxPixels: number, size: { width: number; height: number }): Opened => ({
  sharp: sharp(bytes, decoding(maxPixels)).autoOrient(),
  ...size,
});

async function open(bytes: Buffer, format: PictureFormat, maxPixels: number): Promise<Opened> {
  if (format === 'heic') {
    const check = (width: number, height: number) => checkPixels(width, height, maxPixels);
    const { data, width, height } = await decodeHeic(bytes, check).catch(asUndecodable);
    return { sharp: sharp(data, { raw: { width, height, channels: 4 } }), width, height };
  }
  const metadata = await sharp(bytes, { failOn: 'truncated', limitInputPixels: false })
    .metadata()
    .catch(asUndecodable);
  checkPixels(metadata.width, metadata.height, maxPixels);
  return fromFile(bytes, maxPixels, metadata.autoOrient);
}

function checkPixels(width: number, height: number, limit: number): void {
  if (width < 1 || height < 1) throw undecodable('has no size');
  if (width * height <= limit) return;
  throw new FaultyPicture({
    code: 'photo_too_large',
    message: `The picture has ${width} × ${height} pixels, more than are taken. Send it smaller.`,
  });
}

/** EXIF orientations 5 to 8 lie on their side. */
const turned = ({ width, height, orientation }: JpegStructure) =>
  orientation >= 5 ? { width: height, height: width } : { width, height };

/** What a messenger sends: its pixels stay as they are, and only decoding it proves that it is whole. */
async function kept(bytes: Buffer, structure: JpegStructure): Promise<Prepared | undefined> {
  const { width, height, components, precision, common, orientation } = structure;
  const fits = Math.max(width, height) <= KEPT_SIDE && orientation === 1;
  if (!fits || !common || precision !== 8 || (components !== 1 && components !== 3)) return undefined;
  const rendition = stripJpeg(bytes, structure);
  if (rendition === undefined) return undefined;
  return finish(rendition, 'jpeg', { width, height }, { width, height });
}

async function scaled(opened: Opened, format: PictureFormat): Promise<Prepared> {
  const { data, info } = await opened.sharp
    .resize(PRINT_SIDE, PRINT_SIDE, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .jpeg({ quality: 75, quantisationTable: 3 })
    .timeout({ seconds: PATIENCE_SECONDS })
    .toBuffer({ resolveWithObject: true })
    .catch(asUndecodable);
  return finish(data, format, opened, info);
}

interface Size {
  width: number;
  height: number;
}

async function finish(
  rendition: Buffer,
  format: PictureFormat,
  upright: Size,
  print: Size,
): Promise<Prepared> {
  const grey = await greyCopy(rendition);
  const hash = perceptualHash(grey);
  const picture: Picture = {
    format,
    width: upright.width,
    height: upright.height,
    renditionWidth: print.width,
    renditionHeight: print.height,
    quality: judgeQuality(grey, Math.max(upright.width, upright.height)),
    ...(hash === undefined ? {} : { perceptualHash: hash }),
  };
  return { rendition, picture };
}

/** Decodes the rendition, so that only what can be drawn is ever recorded. */
async function greyCopy(rendition: Buffer): Promise<GreyPicture> {
  const { data, info } = await sharp(rendition, decoding(KEPT_SIDE * KEPT_SIDE))
    .resize(GREY_SIDE, GREY_SIDE, { fit: 'inside', withoutEnlargement: true })
    .greyscale()
    .raw()
    .timeout({ seconds: PATIENCE_SECONDS })
    .toBuffer({ resolveWithObject: true })
    .catch(asUndecodable);
  return { pixels: data, width: info.width, height: info.height };
}

const asUndecodable = (error: unknown): never => {
  if (error instanceof FaultyPicture) throw error;
  throw undecodable('is damaged and cannot be decoded');
};
