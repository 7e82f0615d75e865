import type { Camera } from '../../api/inspections.js';
import type { PictureFormat } from './picture-format.js';
import type { PictureNeed } from './picture-need.js';
import type { QualityWarning } from './picture-quality.js';

/** Why a picture cannot be taken: the codes of `rejected[]` (contract section 5). */
export type PictureFaultCode = 'unsupported_type' | 'undecodable' | 'photo_too_large';

/** The codes of the warnings that a picture that was taken may have. */
export type PictureWarning = QualityWarning | 'partly_read' | 'too_large_to_draw';

/** Format and size from a picture's header, and what it says of its taking. Sizes are in pixels, upright. */
export interface PictureSize {
  format: PictureFormat;
  width: number;
  height: number;
  camera?: Camera;
}

/** A picture that was found sound and made ready for print. Sizes are in pixels, upright. */
export interface Picture extends PictureSize {
  renditionWidth: number;
  renditionHeight: number;
  /** False where no rendition was written, since decoding it would take too much memory: a placeholder stands in. */
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
  /** The picture is a print rendition, to be turned by so many degrees clockwise: 90, 180 or 270. */
  turn?: number;
  /** The picture is a print rendition, of which a smaller one is to be made. */
  reduce?: PrintStep;
  /** Only light pictures are decoded at once; of a heavy one the answer is its estimate. */
  lightOnly?: boolean;
}

export interface PictureFault {
  code: PictureFaultCode;
  message: string;
}

export type PictureResult = { picture: Picture } | { fault: PictureFault } | { needs: PictureNeed };

/** Thrown inside the worker where a fault of the picture itself is found. */
export class FaultyPicture extends Error {
  constructor(readonly fault: PictureFault) {
    super(fault.message);
    this.name = 'FaultyPicture';
  }
}

export const undecodable = (why: string): FaultyPicture =>
  new FaultyPicture({ code: 'undecodable', message: `The picture ${why}. Send it again.` });

/** The long side of what is printed of anything but a small upright JPEG. */
export const PRINT_SIDE = 1280;

/** A picture whose original is stored, while a placeholder of its shape is printed. */
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
