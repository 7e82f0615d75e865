import type { PictureFormat } from './picture-format.js';
import type { QualityWarning } from './picture-quality.js';

/** Why a picture cannot be taken: the codes of `rejected[]` (contract section 5). */
export type PictureFaultCode = 'unsupported_type' | 'undecodable' | 'photo_too_large';

/** A picture that was found sound and made ready for print. Sizes are in pixels, upright. */
export interface Picture {
  format: PictureFormat;
  width: number;
  height: number;
  renditionWidth: number;
  renditionHeight: number;
  quality: QualityWarning[];
  /** Hex of 64 bits; absent for pictures without contrast. */
  perceptualHash?: string;
}

/** What a picture worker is asked: read `path`, write the print rendition to `renditionPath`. */
export interface PictureTask {
  path: string;
  renditionPath: string;
  /** Pixels of the largest picture that is decoded at full size. */
  maxPixels: number;
}

export interface PictureFault {
  code: PictureFaultCode;
  message: string;
}

export type PictureResult = { picture: Picture } | { fault: PictureFault };

/** Thrown inside the worker where a fault of the picture itself is found. */
export class FaultyPicture extends Error {
  constructor(readonly fault: PictureFault) {
    super(fault.message);
    this.name = 'FaultyPicture';
  }
}

export const undecodable = (why: string): FaultyPicture =>
  new FaultyPicture({ code: 'undecodable', message: `The picture ${why}. Send it again.` });
