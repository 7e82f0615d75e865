import { readFile, writeFile } from 'node:fs/promises';
import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { decodeHeic } from './heic-pixels.js';
import { type JpegStructure, readJpeg } from './jpeg-structure.js';
import {
  FaultyPicture,
  type Picture,
  type PictureResult,
  type PictureSize,
  type PictureTask,
  PRINT_SIDE,
  undecodable,
} from './picture.js';
import { sniffPicture } from './picture-format.js';
import { isLight, needOf } from './picture-need.js';
import { type GreyPicture, judgeQuality, perceptualHash } from './picture-quality.js';
import { type OpenedPicture, openPicture } from './open-picture.js';
import { missingShare } from './missing-share.js';
import { stripJpeg } from './strip-jpeg.js';

// This process's console alone: libheif reports broken files there.
console.log = () => undefined;

sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif', 'Tiff'].map((format) => `VipsForeignLoad${format}`),
});

/** An upright JPEG up to this long side is printed as it is; anything else is scaled to at most `PRINT_SIDE`. */
const KEPT_SIDE = 1600;
const GREY_SIDE = 512;
const PATIENCE_SECONDS = 60;
/** Of a damaged picture that is taken, at most this share is missing. */
const MOST_MISSING = 0.1;

/**
 * Checks one picture and writes its print rendition: an upright JPEG without metadata. Runs in a process of its own
 * (`PictureProcess`); `seen` is told the size before anything is decoded. Faults of the picture are answered, not
 * thrown; what is thrown is trouble of our own.
 */
export default async function normalise(
  task: PictureTask,
  seen: (size: PictureSize) => void = () => undefined,
): Promise<PictureResult> {
  const bytes = await readFile(task.path);
  try {
    const opened = await open(bytes, task.maxPixels);
    seen({ format: opened.format, width: opened.width, height: opened.height });
    const needs = needOf(opened.header);
    if (task.lightOnly && !isLight(needs)) return { needs };
    const { rendition, picture } = await prepare(bytes, opened);
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

async function open(bytes: Buffer, maxPixels: number): Promise<OpenedPicture> {
  if (bytes.length === 0) throw undecodable('is empty');
  const format = sniffPicture(bytes.subarray(0, 128));
  if (format !== undefined) return openPicture(bytes, format, maxPixels).catch(asUndecodable);
  throw new FaultyPicture({
    code: 'unsupported_type',
    message: 'This is no picture of a kind that is taken. Send JPEG, PNG, WebP, AVIF, HEIC, GIF or TIFF.',
  });
}

/** What is damaged is read as far as it goes, and taken where that is nearly all of it. */
async function prepare(bytes: Buffer, opened: OpenedPicture): Promise<Prepared> {
  if (opened.format === 'heic') return scaled(await fromHeic(bytes), opened);
  const { jpeg } = opened.header;
  if (jpeg && jpeg.end === undefined) return salvaged(bytes, opened);
  const strict = { failOn: 'truncated', limitInputPixels: opened.limit } as const;
  try {
    return (await kept(bytes, opened)) ?? (await scaled(sharp(bytes, strict).autoOrient(), opened));
  } catch (error) {
    if (!(error instanceof FaultyPicture)) throw error;
    return salvaged(bytes, opened);
  }
}

async function fromHeic(bytes: Buffer): Promise<Sharp> {
  const { data, width, height } = await decodeHeic(bytes, PRINT_SIDE).catch(asUndecodable);
  return sharp(data, { raw: { width, height, channels: 3 } });
}

async function salvaged(bytes: Buffer, opened: OpenedPicture): Promise<Prepared> {
  const lenient: SharpOptions = { failOn: 'none', unlimited: true, limitInputPixels: opened.limit };
  const read = await sharp(bytes, lenient)
    .resize(PRINT_SIDE, PRINT_SIDE, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .timeout({ seconds: PATIENCE_SECONDS })
    .toBuffer({ resolveWithObject: true })
    .catch(asUndecodable);
  if (missingShare(read.data, read.info) > MOST_MISSING)
    throw undecodable('is damaged and cannot be decoded');
  const { picture, rendition } = await scaled(sharp(bytes, lenient).autoOrient(), opened);
  return { rendition, picture: { ...picture, quality: ['partly_read', ...picture.quality] } };
}

/** What a messenger sends: its pixels stay as they are, and only decoding it proves that it is whole. */
async function kept(bytes: Buffer, opened: OpenedPicture): Promise<Prepared | undefined> {
  const structure = opened.format === 'jpeg' ? readJpeg(bytes) : undefined;
  if (structure === undefined || !isKept(structure)) return undefined;
  const rendition = stripJpeg(bytes, structure);
  if (rendition === undefined) throw undecodable('breaks off');
  return finish(rendition, opened, structure);
}

function isKept({ width, height, components, precision, common, orientation }: JpegStructure): boolean {
  if (Math.max(width, height) > KEPT_SIDE || orientation !== 1) return false;
  return common && precision === 8 && (components === 1 || components === 3);
}

async function scaled(source: Sharp, opened: OpenedPicture): Promise<Prepared> {
  const { data, info } = await source
    .resize(PRINT_SIDE, PRINT_SIDE, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .jpeg({ quality: 75, quantisationTable: 3 })
    .timeout({ seconds: PATIENCE_SECONDS })
    .toBuffer({ resolveWithObject: true })
    .catch(asUndecodable);
  return finish(data, opened, info);
}

async function finish(
  rendition: Buffer,
  { format, width, height }: PictureSize,
  print: { width: number; height: number },
): Promise<Prepared> {
  const grey = await greyCopy(rendition);
  const hash = perceptualHash(grey);
  const picture: Picture = {
    format,
    width,
    height,
    renditionWidth: print.width,
    renditionHeight: print.height,
    drawable: true,
    quality: judgeQuality(grey, Math.max(width, height)),
    ...(hash === undefined ? {} : { perceptualHash: hash }),
  };
  return { rendition, picture };
}

/** Decodes the rendition, so that only what can be drawn is ever recorded. */
async function greyCopy(rendition: Buffer): Promise<GreyPicture> {
  const { data, info } = await sharp(rendition, {
    failOn: 'truncated',
    limitInputPixels: KEPT_SIDE * KEPT_SIDE,
  })
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
