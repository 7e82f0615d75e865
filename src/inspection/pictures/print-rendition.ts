import sharp, { type Sharp } from 'sharp';
import type { OpenedPicture } from './open-picture.js';
import type { PictureFormat } from './picture-format.js';
import { type GreyPicture, judgeQuality, perceptualHash } from './picture-quality.js';
import {
  FaultyPicture,
  type Picture,
  type PictureFault,
  type PictureSize,
  PRINT_SIDE,
  type PrintStep,
  undecodable,
} from './picture.js';
import { RETAINED_SIDE } from './strip-jpeg.js';

const GREY_SIDE = 512;
/** The limit on one step of decoding. */
export const PATIENCE_SECONDS = 60;
/** The least share of pixels that must differ from the fill colour of decoders for a damaged picture to be accepted. */
const LEAST_READ = 0.002;
/** The fault if nothing was decoded: an unknown compression cannot be distinguished from damage. */
const UNREADABLE: PictureFault = {
  code: 'undecodable',
  message:
    'Nothing of the picture can be read: it is damaged, or compressed in a way that is not decoded. Send it again, or as a JPEG.',
};

export const pictureSizeOf = ({ format, width, height, camera }: PictureSize): PictureSize => ({
  ...{ format, width, height },
  ...(camera === undefined ? {} : { camera }),
});

/** A print rendition, and the picture that it shows. */
export interface Prepared {
  rendition: Buffer;
  picture: Picture;
}

/** Scales a picture for print; `isDamaged` is read after decoding. */
export async function scaledPrint(
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
    .catch(undecodableAs(opened.format));
  return finishPrint(data, opened, info, { isDamaged: report.isDamaged === true });
}

/** Turns a print rendition clockwise; recodes it at a quality without visible loss. */
export async function turnedPrint(bytes: Buffer, opened: OpenedPicture, turn: number): Promise<Prepared> {
  const { data, info } = await sharp(bytes, { failOn: 'truncated', limitInputPixels: opened.limit })
    .rotate(turn)
    .toColourspace('srgb')
    .jpeg({ quality: 90, quantisationTable: 3 })
    .timeout({ seconds: PATIENCE_SECONDS })
    .toBuffer({ resolveWithObject: true })
    .catch(undecodableAs('jpeg'));
  return finishPrint(data, opened, info);
}

/**
 * Reduces a print rendition in pixels and bytes; a smaller one retains its size. Deterministic for the same step and
 * library. The quality is not judged again, because the content is the same.
 */
export async function reducedPrint(bytes: Buffer, opened: OpenedPicture, step: PrintStep): Promise<Prepared> {
  const { longSide, quality } = step;
  const { data, info } = await sharp(bytes, { failOn: 'truncated', limitInputPixels: opened.limit })
    .resize(longSide, longSide, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .jpeg({ quality, quantisationTable: 3, trellisQuantisation: true })
    .timeout({ seconds: PATIENCE_SECONDS })
    .toBuffer({ resolveWithObject: true })
    .catch(undecodableAs('jpeg'));
  const size = { renditionWidth: info.width, renditionHeight: info.height };
  return { rendition: data, picture: { ...pictureSizeOf(opened), ...size, drawable: true, quality: [] } };
}

export async function finishPrint(
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
    ...pictureSizeOf(opened),
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
    .catch(undecodableAs('jpeg'));
  return { pixels: data, width: info.width, height: info.height };
}

/** Rethrows a fault of the picture, and any other error as one. Of a TIFF the cause may be its kind and no damage. */
export const undecodableAs =
  (format: PictureFormat) =>
  (error: unknown): never => {
    if (error instanceof FaultyPicture) throw error;
    throw format === 'tiff' ? new FaultyPicture(UNREADABLE) : undecodable('is damaged and cannot be decoded');
  };
