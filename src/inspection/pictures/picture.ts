import type { Camera } from '../../api/inspections.js';
import type { PictureFormat } from './picture-format.js';
import type { PictureNeed } from './picture-need.js';
import type { QualityWarning } from './picture-quality.js';

/** The codes of `rejected[]` for a refused picture (contract section 5). */
export type PictureFaultCode = 'unsupported_type' | 'undecodable' | 'photo_too_large';

/** The codes of warnings on an accepted picture. */
export type PictureWarning = QualityWarning | 'partly_read' | 'too_large_to_draw';

/** Format, size and camera data from a picture's header. Sizes are in pixels, upright. */
export interface PictureSize {
  format: PictureFormat;
  width: number;
  height: number;
  camera?: Camera;
}

/** A checked picture with its print rendition. Sizes are in pixels, upright. */
export interface Picture extends PictureSize {
  renditionWidth: number;
  renditionHeight: number;
  /** False if decoding would take too much memory: no rendition was written, and a placeholder is printed. */
  drawable: boolean;
  quality: PictureWarning[];
  /** Hex of 64 bits; absent for pictures without contrast. */
  perceptualHash?: string;
}

/** A size in which pictures are printed: the most pixels of their long side, and the JPEG quality (1 to 100). */
export interface PrintStep {
  readonly longSide: number;
  readonly quality: number;
}

/** The task of a picture worker: read `path`, write the print rendition to `renditionPath`. */
export interface PictureTask {
  path: string;
  renditionPath: string;
  /** Pixels of the largest picture that is decoded at full size. */
  maxPixels: number;
  /** Degrees clockwise by which to turn the picture, a print rendition: 90, 180 or 270. */
  turn?: number;
  /** The size to which to reduce the picture, a print rendition. */
  reduce?: PrintStep;
  /** Decode light pictures only; for a heavy one return its estimate. */
  lightOnly?: boolean;
}

export interface PictureFault {
  code: PictureFaultCode;
  message: string;
}

export type PictureResult = { picture: Picture } | { fault: PictureFault } | { needs: PictureNeed };

/** Thrown inside the worker for a fault of the picture itself. */
export class FaultyPicture extends Error {
  constructor(readonly fault: PictureFault) {
    super(fault.message);
    this.name = 'FaultyPicture';
  }
}

export const undecodable = (why: string): FaultyPicture =>
  new FaultyPicture({ code: 'undecodable', message: `The picture ${why}. Send it again.` });

/** The long side of a print, except for a small upright JPEG. */
export const PRINT_SIDE = 1280;

/** Returns a picture whose original is stored and for which a placeholder of its shape is printed. */
export function undrawable(size: PictureSize): Picture {
  const shrink = Math.min(1, PRINT_SIDE / Math.max(size.width, size.height));
  return {
    ...size,
    renditionWidth: Math.max(1, Math.round(size.width * shrink)),
    renditionHeight: Math.max(1, Math.round(size.height * shrink)),
    drawable: false,
    quality: ['too_large_to_draw'],
  };
}
