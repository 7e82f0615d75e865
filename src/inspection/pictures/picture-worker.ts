import { readFile, writeFile } from 'node:fs/promises';
import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { openHeicPixels } from './heic-picture.js';
import { isScanDamaged } from './jpeg/jpeg-scans.js';
import type { JpegStructure } from './jpeg/jpeg-structure.js';
import { retainsPixels, RETAINED_SIDE, stripJpeg } from './jpeg/strip-jpeg.js';
import { type OpenedPicture, openPicture } from './open-picture.js';
import { sniffPicture } from './picture-format.js';
import { isLight, needOf, type PictureNeed } from './picture-need.js';
import { type GreyPicture, judgeQuality, perceptualHash } from './picture-quality.js';
import {
  FaultyPicture,
  type Picture,
  type PictureFault,
  type PictureResult,
  type PictureSize,
  type PictureTask,
  PRINT_SIDE,
  type PrintStep,
  undecodable,
} from './picture.js';
import { withoutExtraSamples } from './tiff-samples.js';

// libheif reports broken files on the console; this silences it in this process only.
console.log = () => undefined;

sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif', 'Tiff'].map((format) => `VipsForeignLoad${format}`),
});

const GREY_SIDE = 512;
const PATIENCE_SECONDS = 60;
/** The least share of pixels that must differ from the fill colour of decoders for a damaged picture to be accepted. */
const LEAST_READ = 0.002;
/** The fault if nothing was decoded: an unknown compression cannot be distinguished from damage. */
const UNREADABLE: PictureFault = {
  code: 'undecodable',
  message:
    'Nothing of the picture can be read: it is damaged, or compressed in a way that is not decoded. Send it again, or as a JPEG.',
};
const FAULT_OF_DATA = /corrupt|premature|not enough data/i;

/**
 * Checks one picture and writes its print rendition: an upright JPEG without metadata. Runs in a process of its own
 * (`decoding-worker`). Calls `seen` with the size before decoding. Returns faults of the picture; anything thrown is an
 * error of the service.
 */
export default async function normalise(
  task: PictureTask,
  seen: (size: PictureSize) => void = () => undefined,
): Promise<PictureResult> {
  const bytes = await readFile(task.path);
  const made = await make(bytes, task, seen).catch(faultOf);
  if (!('rendition' in made)) return made;
  await writeFile(task.renditionPath, made.rendition);
  return { picture: made.picture };
}

/** Decodes the file. Every failure here counts as a fault of this picture. */
async function make(
  bytes: Buffer,
  task: PictureTask,
  seen: (size: PictureSize) => void,
): Promise<Prepared | { needs: PictureNeed }> {
  const opened = await open(bytes, task.maxPixels);
  seen(sizeOf(opened));
  const needs = needOf(opened.header);
  if (task.lightOnly && !isLight(needs)) return { needs };
  return prepared(bytes, opened, task);
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

/** Reads the whole picture, or as much of it as can be decoded. */
async function prepare(bytes: Buffer, opened: OpenedPicture): Promise<Prepared> {
  if (opened.format === 'heic') return fromHeic(bytes, opened);
  return readWhole(bytes, opened).catch((error: unknown) => {
    if (error instanceof FaultyPicture) return read(bytes, opened, 'none');
    throw error;
  });
}

function readWhole(bytes: Buffer, opened: OpenedPicture): Promise<Prepared> {
  const { jpeg } = opened;
  if (jpeg === undefined) return read(bytes, opened, 'error');
  return (jpeg.baseline ? fromSequentialJpeg : fromOtherJpeg)(bytes, opened, jpeg);
}

const reading = (bytes: Buffer, { limit }: OpenedPicture, failOn: SharpOptions['failOn'] & string): Sharp =>
  sharp(bytes, { failOn, unlimited: true, limitInputPixels: limit }).autoOrient();

/** Decodes a sequential JPEG and checks its codes in parallel, because the decoder misses most damage of the data. */
async function fromSequentialJpeg(
  bytes: Buffer,
  opened: OpenedPicture,
  jpeg: JpegStructure,
): Promise<Prepared> {
  if (retainsPixels(bytes, jpeg))
    return isScanDamaged(bytes, jpeg)
      ? read(bytes, opened, 'none')
      : retained(bytes, opened, jpeg, 'truncated');
  // Sharp decodes on a thread of its own while this one follows the codes.
  const report = { isDamaged: false };
  const print = scaled(reading(bytes, opened, 'none'), opened, report);
  report.isDamaged = isScanDamaged(bytes, jpeg);
  return print;
}

/** Decodes a JPEG of several scans or arithmetic codes: the decoder reports damage once the structure is repaired. */
async function fromOtherJpeg(bytes: Buffer, opened: OpenedPicture, jpeg: JpegStructure): Promise<Prepared> {
  if (retainsPixels(bytes, jpeg)) return retained(bytes, opened, jpeg, 'warning');
  const strict = (file: Buffer) => scaled(reading(file, opened, 'warning'), opened);
  return strict(bytes).catch(() => strict(stripJpeg(bytes, jpeg, { withExif: true })));
}

async function fromHeic(bytes: Buffer, opened: OpenedPicture): Promise<Prepared> {
  const { pixels, isPartial } = openHeicPixels(bytes);
  return scaled(pixels, opened, { isDamaged: isPartial });
}

/** Reads a picture. It counts as damaged if `failOn` is lenient, or if the decoder reports a fault and continues. */
async function read(bytes: Buffer, opened: OpenedPicture, failOn: 'error' | 'none'): Promise<Prepared> {
  const report = { isDamaged: failOn === 'none' };
  const source = reading(bytes, opened, failOn).on('warning', (text: string) => {
    report.isDamaged ||= FAULT_OF_DATA.test(text);
  });
  return scaled(opened.header.extraSamples ? await colours(source) : source, opened, report);
}

async function colours(source: Sharp): Promise<Sharp> {
  const { data, info } = await source
    .toColourspace('srgb')
    .raw()
    .timeout({ seconds: PATIENCE_SECONDS })
    .toBuffer({ resolveWithObject: true })
    .catch(asUndecodable);
  const { width, height, channels } = info;
  return sharp(withoutExtraSamples(data, channels), { raw: { width, height, channels: 3 } });
}

/** Retains the pixels of an upright JPEG of up to 1,600 px; decoding it proves that it is complete. */
const retained = (
  bytes: Buffer,
  opened: OpenedPicture,
  jpeg: JpegStructure,
  failOn: 'truncated' | 'warning',
): Promise<Prepared> => finish(stripJpeg(bytes, jpeg), opened, jpeg, { failOn });

/** Scales a picture for print; `isDamaged` is read after decoding. */
async function scaled(
  source: Sharp,
  opened: OpenedPicture,
  report: { readonly isDamaged?: boolean } = {},
): Promise<Prepared> {
  const { data, info } = await source
    .resize(PRINT_SIDE, PRINT_SIDE, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .jpeg({ quality: 75, quantisationTable: 3 })
    .timeout({ seconds: PATIENCE_SECONDS })
    .toBuffer({ resolveWithObject: true })
    .catch(asUndecodable);
  return finish(data, opened, info, { isDamaged: report.isDamaged === true });
}

/** Turns a print rendition clockwise; recodes it at a quality without visible loss. */
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
 * Reduces a print rendition in pixels and bytes; a smaller one retains its size. Deterministic for the same step and
 * library. The quality is not judged again, because the content is the same.
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
  { isDamaged = false, failOn = 'truncated' }: { isDamaged?: boolean; failOn?: 'truncated' | 'warning' } = {},
): Promise<Prepared> {
  const grey = await greyCopy(rendition, failOn);
  if (isDamaged && isFilled(grey)) throw new FaultyPicture(UNREADABLE);
  const hash = perceptualHash(grey);
  const flaws = judgeQuality(grey, Math.max(opened.width, opened.height));
  const picture: Picture = {
    ...sizeOf(opened),
    renditionWidth: print.width,
    renditionHeight: print.height,
    drawable: true,
    quality: isDamaged ? ['partly_read', ...flaws] : flaws,
    ...(hash === undefined ? {} : { perceptualHash: hash }),
  };
  return { rendition, picture };
}

/** Returns true if a damaged picture has one colour only: decoders fill unreadable parts with it. */
function isFilled({ pixels }: GreyPicture): boolean {
  const counts = new Uint32Array(256);
  for (const value of pixels) counts[value]! += 1;
  return Math.max(...counts) > (1 - LEAST_READ) * pixels.length;
}

/** Decodes the rendition, so that only pictures that can be drawn are recorded. */
async function greyCopy(rendition: Buffer, failOn: 'truncated' | 'warning'): Promise<GreyPicture> {
  const { data, info } = await sharp(rendition, {
    failOn,
    limitInputPixels: RETAINED_SIDE * RETAINED_SIDE,
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

const faultOf = (error: unknown): { fault: PictureFault } => ({
  fault: error instanceof FaultyPicture ? error.fault : undecodable('cannot be decoded').fault,
});
