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

// This process's console alone: libheif reports broken files there.
console.log = () => undefined;

sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif', 'Tiff'].map((format) => `VipsForeignLoad${format}`),
});

const GREY_SIDE = 512;
const PATIENCE_SECONDS = 60;
/** The share of a damaged picture that differs from the colour that decoders fill in, where it is more than a chance. */
const LEAST_READ = 0.002;
/** Where nothing was decoded, a sound file in an unknown compression cannot be distinguished from a damaged one. */
const UNREADABLE: PictureFault = {
  code: 'undecodable',
  message:
    'Nothing of the picture can be read: it is damaged, or compressed in a way that is not decoded. Send it again, or as a JPEG.',
};
const FAULT_OF_DATA = /corrupt|premature|not enough data/i;

/**
 * Checks one picture and writes its print rendition: an upright JPEG without metadata. Runs in a process of its own
 * (`decoding-worker`); `seen` is called with the size before anything is decoded. Faults of the picture are answered,
 * not thrown; anything thrown is an error of the service.
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

/** Decodes what the file holds. Whatever goes wrong here is for want of a sound picture, and costs this one alone. */
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

/** Reads a picture whole, else as far as it goes. */
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

/** The decoder reports few faults of such data, and harmless ones of the structure: the codes are followed beside it. */
async function fromSequentialJpeg(
  bytes: Buffer,
  opened: OpenedPicture,
  jpeg: JpegStructure,
): Promise<Prepared> {
  if (retainsPixels(bytes, jpeg))
    return isScanDamaged(bytes, jpeg)
      ? read(bytes, opened, 'none')
      : retained(bytes, opened, jpeg, 'truncated');
  // Sharp decodes on a thread of its own while the codes are followed on this one.
  const report = { isDamaged: false };
  const print = scaled(reading(bytes, opened, 'none'), opened, report);
  report.isDamaged = isScanDamaged(bytes, jpeg);
  return print;
}

/** Several scans, or arithmetic codes: the decoder reports faults, once those of the structure are out of its way. */
async function fromOtherJpeg(bytes: Buffer, opened: OpenedPicture, jpeg: JpegStructure): Promise<Prepared> {
  if (retainsPixels(bytes, jpeg)) return retained(bytes, opened, jpeg, 'warning');
  const strict = (file: Buffer) => scaled(reading(file, opened, 'warning'), opened);
  return strict(bytes).catch(() => strict(stripJpeg(bytes, jpeg, { withExif: true })));
}

async function fromHeic(bytes: Buffer, opened: OpenedPicture): Promise<Prepared> {
  const { pixels, isPartial } = openHeicPixels(bytes);
  return scaled(pixels, opened, { isDamaged: isPartial });
}

/** Leniently the picture counts as damaged. Strictly too where the decoder reports a fault of the data and reads on. */
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

/** An upright JPEG of up to 1,600 px, as messengers send it: its pixels stay, and decoding it proves that it is whole. */
const retained = (
  bytes: Buffer,
  opened: OpenedPicture,
  jpeg: JpegStructure,
  failOn: 'truncated' | 'warning',
): Promise<Prepared> => finish(stripJpeg(bytes, jpeg), opened, jpeg, { failOn });

/** `isDamaged` is read once the picture is decoded. */
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
 * the same library. It shows what the rendition shows, so that its quality is not judged again.
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

/** Whether a damaged picture is of one colour, as decoders fill what they cannot read. */
function isFilled({ pixels }: GreyPicture): boolean {
  const counts = new Uint32Array(256);
  for (const value of pixels) counts[value]! += 1;
  return Math.max(...counts) > (1 - LEAST_READ) * pixels.length;
}

/** Decodes the rendition, so that only what can be drawn is ever recorded. */
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
