import sharp, { type Sharp } from 'sharp';
import { HeicFault, type HeicFaultKind } from '../heic/heic-fault.js';
import { withHeic } from '../heic/heic-file.js';
import { exifOf } from '../heic/heic-header.js';
import { decodeHeic } from '../heic/heic-pixels.js';
import { taggedRaster } from '../heic/tagged-raster.js';
import type { PictureHeader } from './picture-need.js';
import { FaultyPicture, PRINT_SIDE, undecodable } from './picture.js';

interface HeicOverview extends PictureHeader {
  /** True if the picture is decoded one row of tiles at a time. */
  readonly isTiled: boolean;
  readonly exif: Buffer | undefined;
}

/** Reads the header of a HEIC file. Throws `FaultyPicture` for one that cannot be read. */
export function readHeicHeader(bytes: Buffer): HeicOverview {
  return withFaults(() =>
    withHeic(bytes, (file) => {
      const { width, height, bits, samples, tiles } = file.header;
      const pixels = tiles ? tiles.columns * tiles.width * tiles.height : width * height;
      const buffered = pixels * samples * (bits > 8 ? 2 : 1);
      const header = { format: 'heic', width, height, bytes: bytes.length, buffered } as const;
      return { ...header, isTiled: tiles !== undefined, exif: exifOf(file) };
    }),
  );
}

/** Decodes a HEIC file for print. Throws `FaultyPicture` for one that cannot be decoded. */
export function openHeicPixels(bytes: Buffer): { pixels: Sharp; isPartial: boolean } {
  const { data, width, height, profile, isPartial } = withFaults(() => decodeHeic(bytes, PRINT_SIDE));
  const tagged = profile && taggedRaster({ data, width, height }, profile);
  return { pixels: tagged ? sharp(tagged) : sharp(data, { raw: { width, height, channels: 3 } }), isPartial };
}

function withFaults<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof HeicFault) throw FAULTS[error.kind]();
    throw error;
  }
}

const FAULTS: Readonly<Record<HeicFaultKind, () => FaultyPicture>> = {
  damaged: () => undecodable('is damaged and cannot be decoded'),
  without_image: () => undecodable('holds no image that can be read'),
  too_large: () =>
    new FaultyPicture({
      code: 'photo_too_large',
      message: 'The picture is larger than can be decoded. Send it smaller.',
    }),
  unsupported: () =>
    new FaultyPicture({
      code: 'undecodable',
      message: 'The picture is coded in a way that cannot be decoded here. Send it as a JPEG.',
    }),
};
