import { readFile, writeFile } from 'node:fs/promises';
import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { openHeicPixels } from './heic-picture.js';
import { isScanDamaged } from './jpeg-scans.js';
import type { JpegStructure } from './jpeg-structure.js';
import { type OpenedPicture, openPicture } from './open-picture.js';
import { sniffPicture } from './picture-format.js';
import { isLight, needOf, type PictureNeed } from './picture-need.js';
import {
  FaultyPicture,
  type PictureFault,
  type PictureResult,
  type PictureSize,
  type PictureTask,
  undecodable,
} from './picture.js';
import {
  finishPrint,
  PATIENCE_SECONDS,
  type Prepared,
  reducedPrint,
  scaledPrint,
  pictureSizeOf,
  turnedPrint,
  undecodableAs,
} from './print-rendition.js';
import { retainsPixels, stripJpeg } from './strip-jpeg.js';
import { withoutExtraSamples } from './tiff-samples.js';

// libheif reports broken files on the console; this silences it in this process only.
console.log = () => undefined;

sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif', 'Tiff'].map((format) => `VipsForeignLoad${format}`),
});

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
  seen(pictureSizeOf(opened));
  const needs = needOf(opened.header);
  if (task.lightOnly && !isLight(needs)) return { needs };
  return prepared(bytes, opened, task);
}

function prepared(bytes: Buffer, opened: OpenedPicture, { turn, reduce }: PictureTask): Promise<Prepared> {
  if (reduce) return reducedPrint(bytes, opened, reduce);
  return turn === undefined ? prepare(bytes, opened) : turnedPrint(bytes, opened, turn);
}

async function open(bytes: Buffer, maxPixels: number): Promise<OpenedPicture> {
  if (bytes.length === 0) throw undecodable('is empty');
  const format = sniffPicture(bytes.subarray(0, 128));
  if (format !== undefined) return openPicture(bytes, format, maxPixels).catch(undecodableAs(format));
  throw new FaultyPicture({
    code: 'unsupported_type',
    message:
      'The file is not a picture in an accepted format. Send JPEG, PNG, WebP, AVIF, HEIC, GIF or TIFF.',
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

function reading(
  bytes: Buffer,
  { limit, header }: OpenedPicture,
  failOn: SharpOptions['failOn'] & string,
): Sharp {
  // Fractions are amounts of light. With a profile sharp would take them for samples between 0 and 255, all black.
  const ignoreIcc = header.metadata?.depth === 'float';
  return sharp(bytes, { failOn, unlimited: true, limitInputPixels: limit, ignoreIcc }).autoOrient();
}

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
  const print = scaledPrint(reading(bytes, opened, 'none'), opened, report);
  report.isDamaged = isScanDamaged(bytes, jpeg);
  return print;
}

/** Decodes a JPEG of several scans or arithmetic codes: the decoder reports damage once the structure is repaired. */
async function fromOtherJpeg(bytes: Buffer, opened: OpenedPicture, jpeg: JpegStructure): Promise<Prepared> {
  if (retainsPixels(bytes, jpeg)) return retained(bytes, opened, jpeg, 'warning');
  const strict = (file: Buffer) => scaledPrint(reading(file, opened, 'warning'), opened);
  return strict(bytes).catch(() => strict(stripJpeg(bytes, jpeg, { withExif: true })));
}

async function fromHeic(bytes: Buffer, opened: OpenedPicture): Promise<Prepared> {
  const { pixels, isPartial } = openHeicPixels(bytes);
  return scaledPrint(pixels, opened, { isDamaged: isPartial });
}

/** Reads a picture. It counts as damaged if `failOn` is lenient, or if the decoder reports a fault and continues. */
async function read(bytes: Buffer, opened: OpenedPicture, failOn: 'error' | 'none'): Promise<Prepared> {
  const report = { isDamaged: failOn === 'none' };
  const source = reading(bytes, opened, failOn).on('warning', (text: string) => {
    report.isDamaged ||= FAULT_OF_DATA.test(text);
  });
  return scaledPrint(opened.header.extraSamples ? await colours(source) : source, opened, report);
}

async function colours(source: Sharp): Promise<Sharp> {
  const { data, info } = await source
    .toColourspace('srgb')
    .raw()
    .timeout({ seconds: PATIENCE_SECONDS })
    .toBuffer({ resolveWithObject: true })
    .catch(undecodableAs('tiff'));
  const { width, height, channels } = info;
  return sharp(withoutExtraSamples(data, channels), { raw: { width, height, channels: 3 } });
}

/** Retains the pixels of an upright JPEG of up to 1,600 px; decoding it proves that it is complete. */
const retained = (
  bytes: Buffer,
  opened: OpenedPicture,
  jpeg: JpegStructure,
  failOn: 'truncated' | 'warning',
): Promise<Prepared> => finishPrint(stripJpeg(bytes, jpeg), opened, jpeg, { failOn });

const faultOf = (error: unknown): { fault: PictureFault } => ({
  fault: error instanceof FaultyPicture ? error.fault : undecodable('cannot be decoded').fault,
});
