import { type HeicColours, USUAL_COLOURS } from './heic-colours.js';
import { HeicFault } from './heic-fault.js';
import { attempt, ERROR_BYTES, type OpenHeic } from './heic-library.js';
import type { HeicPlane, HeicPlanes } from './heic-means.js';

/** `heif_colorspace_undefined` and `heif_chroma_undefined`: colours and samples as they are coded. */
export const AS_CODED = [99, 99] as const;

/** Numbers of `heif_channel`. */
const [Y, CB, CR, RED, GREEN, BLUE, ALPHA] = [0, 1, 2, 3, 4, 5, 6];

/** Returns views of a decoded image's samples in libheif's memory. Any call that grows the memory makes them stale. */
export function planesOf(file: OpenHeic, image: number): HeicPlanes {
  const plane = (channel: number): HeicPlane | undefined => planeOf(file, image, channel);
  // The identity matrix codes green as Y, blue as Cb and red as Cr.
  const y = plane(Y) ?? plane(GREEN);
  if (y === undefined) throw new HeicFault('unsupported');
  const [cb, cr, alpha] = [plane(CB) ?? plane(BLUE), plane(CR) ?? plane(RED), plane(ALPHA)];
  return { y, ...(cb && cr ? { cb, cr } : {}), ...(alpha ? { alpha } : {}) };
}

function planeOf({ libheif, scratch }: OpenHeic, image: number, channel: number): HeicPlane | undefined {
  if (!libheif._heif_image_has_channel(image, channel)) return undefined;
  const at = libheif._heif_image_get_plane_readonly2(image, channel, scratch);
  if (at === 0) return undefined;
  const bits = libheif._heif_image_get_bits_per_pixel_range(image, channel);
  const bytes = bits > 8 ? 2 : 1;
  const { HEAPU8 } = libheif;
  return {
    data: bytes === 1 ? HEAPU8 : new Uint16Array(HEAPU8.buffer),
    offset: at / bytes,
    stride: libheif.HEAP32[scratch >> 2]! / bytes,
    width: libheif._heif_image_get_width(image, channel),
    height: libheif._heif_image_get_height(image, channel),
    bits,
  };
}

/** Numbers of `heif_colorspace`. */
const RGB = 1;
const IDENTITY = 0;

/** Reads `struct heif_color_profile_nclx`: a version, four numbers of four bytes, and eight chromaticities. */
export function coloursOf({ libheif, scratch }: OpenHeic, image: number): HeicColours {
  const found = scratch + ERROR_BYTES;
  if (libheif._heif_image_get_colorspace(image) === RGB) return { ...USUAL_COLOURS, matrix: IDENTITY };
  libheif.HEAP32[found >> 2] = 0;
  const fault = attempt(libheif, scratch, (error) =>
    libheif._heif_image_get_nclx_color_profile(error, image, found),
  );
  const profile = libheif.HEAP32[found >> 2]!;
  if (fault !== undefined || profile === 0) return USUAL_COLOURS;
  const at = profile >> 2;
  const [primaries, transfer, matrix] = libheif.HEAP32.subarray(at + 1, at + 4) as unknown as [
    number,
    number,
    number,
  ];
  const fullRange = libheif.HEAPU8[profile + 16] !== 0;
  const chromaticities = [...libheif.HEAPF32.subarray(at + 5, at + 13)];
  libheif._heif_nclx_color_profile_free(profile);
  return { primaries, transfer, matrix, fullRange, chromaticities };
}
