import type { Metadata } from 'sharp';
import type { JpegStructure } from './jpeg-structure.js';
import type { PictureFormat } from './picture-format.js';

/** An estimate for decoding a picture: megabytes beside the process itself, and milliseconds of one processor. */
export interface PictureNeed {
  readonly megabytes: number;
  readonly work: number;
}

/** The parts of a picture header that an estimate depends on. */
export interface PictureHeader {
  readonly format: PictureFormat;
  readonly width: number;
  readonly height: number;
  /** Length of the file. */
  readonly bytes: number;
  readonly jpeg?: Pick<JpegStructure, 'baseline' | 'density' | 'scans'>;
  readonly metadata?: Pick<Metadata, 'bitsPerSample' | 'channels' | 'depth' | 'isProgressive'>;
  /** Bytes of decoded HEIC samples in memory at once: one row of tiles, or the whole picture. */
  readonly buffered?: number;
  /** True for lossy WebP without transparency or animation. */
  readonly simple?: boolean;
  /** True for a TIFF with samples beside colour and transparency, which are removed from all pixels at once. */
  readonly extraSamples?: boolean;
}

interface Cost {
  /** Bytes of memory for each pixel. */
  readonly memory: number;
  /** Milliseconds for each megapixel. */
  readonly work: number;
  /** Megabytes at any size. */
  readonly fixed?: number;
}

/** Headroom over the figures below, which were measured at 49 megapixels (records 0045, 0260). */
export const MARGIN = 1.2;
const FIXED_MB = 6;

/** Memory of a process before it decodes anything. */
export const PROCESS_MB = 70;

/** Returns the resident megabytes at which a process is killed: the estimate plus a tolerance. */
export const mostResidentMb = (foreseen: number): number => PROCESS_MB + foreseen * 1.2 + 24;

/** The most that a light picture may need. Light pictures run beside others, heavy ones one at a time. */
export const LIGHT: PictureNeed = { megabytes: 48, work: 300 };

export function needOf(header: PictureHeader): PictureNeed {
  const { memory, work, fixed = FIXED_MB } = costOf(header);
  const pixels = header.width * header.height;
  // The file is read whole, and its rendition may be as large.
  const files = (header.bytes * 1.5) / 1e6;
  return {
    megabytes: Math.ceil((memory * pixels * MARGIN) / 1e6 + files + fixed),
    work: Math.ceil((work * pixels) / 1e6),
  };
}

export const isLight = ({ megabytes, work }: PictureNeed): boolean =>
  megabytes <= LIGHT.megabytes && work <= LIGHT.work;

function costOf(header: PictureHeader): Cost {
  const { bitsPerSample: bits = 8, channels = 4, isProgressive = false } = header.metadata ?? {};
  const bytesPerPixel = channels * Math.max(1, bits / 8);
  switch (header.format) {
    case 'jpeg':
      return jpegCost(header.jpeg ?? UNREAD_JPEG);
    case 'png':
      return isProgressive
        ? { memory: 0.5 + 1.13 * bytesPerPixel, work: 14 * bytesPerPixel }
        : { memory: 0.5 + 0.2 * bytesPerPixel, work: 3 + 8 * Math.max(0, bytesPerPixel - 3) + 2 * channels };
    case 'tiff':
      return {
        memory: 0.5 + 0.2 * bytesPerPixel + (header.extraSamples ? 2 * channels + 4 : 0),
        work: 8 * bytesPerPixel,
      };
    case 'webp':
      return header.simple ? { memory: 0.5, work: 10 } : { memory: 4.3, work: 18 };
    case 'gif':
      return { memory: 5.2, work: 25 };
    case 'avif':
      return bits > 8 ? { memory: 25, work: 170 } : { memory: 18.4, work: 100 };
    case 'heic':
      return { memory: (2.3 * header.buffered!) / (header.width * header.height), work: 150, fixed: 70 };
  }
}

/** The worst case, assumed for a JPEG whose header only the decoder can read. */
const UNREAD_JPEG = { baseline: false, density: 3, scans: 10 };

/** Returns the cost of a JPEG: a few rows for a single scan, else all coefficients, two bytes each. */
function jpegCost({ baseline, density, scans }: NonNullable<PictureHeader['jpeg']>): Cost {
  if (baseline && scans <= 1) return { memory: 0.4, work: 6 };
  return { memory: 0.3 + 2.1 * density, work: 10 + 2 * scans * density };
}
