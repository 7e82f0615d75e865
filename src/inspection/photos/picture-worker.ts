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
  type PrintStep,
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
 * (`PictureProcess`); `seen` is called with the size before anything is decoded. Faults of the picture are answered,
 * not thrown; anything thrown is an error of the service.
 */
export default async function normalise(
  task: PictureTask,
  seen: (size: PictureSize) => void = () => undefined,
): Promise<PictureResult> {
  const bytes = await readFile(task.path);
  try {
    const opened = await open(bytes, task.maxPixels);
    seen(sizeOf(opened));
    const needs = needOf(opened.header);
    if (task.lightOnly && !isLight(needs)) return { needs };
    const { rendition, picture } = await prepared(bytes, opened, task);
    await writeFile(task.renditionPath, rendition);
    return { picture };
  } catch (error) {
    if (error instanceof FaultyPicture) return { fault: error.fault };
    throw error;
  }
}

function prepared(bytes: Buffer, opened: OpenedPicture, { turn, reduce }: PictureTask): Promise<Prepared> {
  if (reduce) return reduced(bytes, opened, reduce);
  return turn === undefined ? prepare(bytes, opened) : turned(bytes, opened, turn);
}

const sizeOf = ({ format, width, height, camera }: PictureSize): PictureSize => ({
  ...{ format, width, height },
  ...(camera === undefined ? {} : { camera }),
});

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

/** A damaged picture is decoded as far as possible, and accepted where nearly all of it is there. */
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

/** An upright JPEG of up to 1,600 px, as messengers send it: its pixels stay, and decoding it proves that it is whole. */
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

/** A print rendition turned clockwise; its pixels are written once more, at a quality that shows no loss. */
async function turned(bytes: Buffer, opened: OpenedPicture, turn: number): Promise<Prepared> {
  const { data, info } = await sharp(bytes, { failOn: 'truncated', limitInputPixels: opened.limit })
    .rotate(turn)
    .toColourspace('srgb')
    .jpeg({ quality: 90, quantisationTable: 3 })
    .timeout({ seconds: PATIENCE_SECONDS })
    .toBuffer({ resolveWithObject: true })
    .catch(asUndecodable);
  return finish(data, opened, info);
}

/**
 * A print rendition with fewer pixels and bytes; one of fewer pixels keeps its own. The same bytes of the same step with
 * the same library. It shows what the rendition shows, so that nothing is judged anew.
 */
async function reduced(bytes: Buffer, opened: OpenedPicture, step: PrintStep): Promise<Prepared> {
  const { longSide, quality } = step;
  const { data, info } = await sharp(bytes, { failOn: 'truncated', limitInputPixels: opened.limit })
    .resize(longSide, longSide, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .jpeg({ quality, quantisationTable: 3, trellisQuantisation: true })
    .timeout({ seconds: PATIENCE_SECONDS })
    .toBuffer({ resolveWithObject: true })
    .catch(asUndecodable);
  const size = { renditionWidth: info.width, renditionHeight: info.height };
  return { rendition: data, picture: { ...sizeOf(opened), ...size, drawable: true, quality: [] } };
}

async function finish(
  rendition: Buffer,
  opened: PictureSize,
  print: { width: number; height: number },
): Promise<Prepared> {
  const grey = await greyCopy(rendition);
  const hash = perceptualHash(grey);
  const picture: Picture = {
    ...sizeOf(opened),
    renditionWidth: print.width,
    renditionHeight: print.height,
    drawable: true,
    quality: judgeQuality(grey, Math.max(opened.width, opened.height)),
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
