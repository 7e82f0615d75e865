import { tiffOf } from '../exif/exif-directories.js';
import { orientationOf } from '../exif/tiff-directory.js';
import { attempt, check, ERROR_BYTES, type LibHeif, type OpenHeic } from './heic-library.js';
import { oriented, type Placement, readPlacement, placedSize } from './heic-transforms.js';

/** The header of the main picture of a file. Width and height are upright. */
export interface HeicHeader {
  readonly width: number;
  readonly height: number;
  /** Bits of a sample. */
  readonly bits: number;
  /** Samples per pixel; chroma subsampling makes it fewer than one per channel. */
  readonly samples: number;
  /** The placement of the coded picture in the upright one; undefined if libheif itself turns and crops it. */
  readonly placement?: Placement;
  readonly isCropped: boolean;
  /** The picture is coded in tiles. */
  readonly tiles?: HeicTiles;
}

export interface HeicTiles {
  readonly columns: number;
  readonly rows: number;
  /** The size of one tile. */
  readonly width: number;
  readonly height: number;
}

/** The bits per sample assumed if the header does not give them. */
const MOST_USUAL_BITS = 10;
/** Samples of a pixel by `heif_chroma`: grey, 4:2:0, 4:2:2, 4:4:4. */
const SAMPLES = [1, 1.5, 2, 3];
const HEVC = Buffer.from('hvc1', 'latin1').readUInt32BE();
const TILING_BYTES = 80;

export function readHeader(file: OpenHeic): HeicHeader {
  const { libheif, context, source } = file;
  if ('track' in source) return headerOfTrack(file, source.track);
  const { image } = source;
  const width = libheif._heif_image_handle_get_width(image);
  const height = libheif._heif_image_handle_get_height(image);
  const bits = libheif._heif_image_handle_get_luma_bits_per_pixel(image);
  const samples = samplesOf(file, image);
  const header = { width, height, bits: bits > 0 ? bits : MOST_USUAL_BITS, samples, isCropped: false };
  const tiling = readTiling(file, image);
  if (tiling === undefined) return header;
  const item = libheif._heif_image_handle_get_item_id(image);
  const isCoded = libheif._heif_item_get_item_type(context, item) >>> 0 === HEVC;
  const { wholeWidth, wholeHeight, ...tiles } = tiling;
  const isTiled = tiles.columns * tiles.rows > 1 && hasWholeTiles(tiling);
  // The transparency may be tiled differently from the picture, which libheif gets wrong.
  if (!isCoded && (!isTiled || libheif._heif_image_handle_has_alpha_channel(image))) return header;
  const { placement, saysTurn } = readPlacement(libheif, context, item, wholeWidth, wholeHeight);
  const [placedWidth, placedHeight] = placedSize(placement);
  if (placedWidth !== width || placedHeight !== height) return header;
  const upright = saysTurn ? placement : oriented(placement, orientationIn(file));
  const [uprightWidth, uprightHeight] = placedSize(upright);
  const isCropped = width * height < wholeWidth * wholeHeight;
  const size = { width: uprightWidth, height: uprightHeight };
  return { ...header, ...size, placement: upright, isCropped, ...(isTiled ? { tiles } : {}) };
}

function samplesOf({ libheif, scratch }: OpenHeic, image: number): number {
  const found = scratch + ERROR_BYTES;
  const fault = attempt(libheif, scratch, (error) =>
    libheif._heif_image_handle_get_preferred_decoding_colorspace(error, image, found, found + 4),
  );
  const colours = fault === undefined ? SAMPLES[libheif.HEAP32[(found >> 2) + 1]!] : undefined;
  return (colours ?? Math.max(...SAMPLES)) + libheif._heif_image_handle_has_alpha_channel(image);
}

function headerOfTrack({ libheif, scratch }: OpenHeic, track: number): HeicHeader {
  const found = scratch + ERROR_BYTES;
  check(libheif, scratch, (error) =>
    libheif._heif_track_get_image_resolution(error, track, found, found + 2),
  );
  const sizes = libheif.HEAP32[found >> 2]!;
  return {
    width: sizes & 0xffff,
    height: sizes >>> 16,
    bits: MOST_USUAL_BITS,
    samples: SAMPLES[1]!,
    isCropped: false,
  };
}

interface Tiling extends HeicTiles {
  readonly wholeWidth: number;
  readonly wholeHeight: number;
}

const hasWholeTiles = ({ columns, rows, width, height, wholeWidth, wholeHeight }: Tiling): boolean =>
  columns * width >= wholeWidth && rows * height >= wholeHeight;

/** Reads `struct heif_image_tiling`: a version, then numbers of tiles and sizes of four bytes each. */
function readTiling({ libheif, scratch }: OpenHeic, image: number): Tiling | undefined {
  const at = libheif._malloc(TILING_BYTES);
  try {
    const fault = attempt(libheif, scratch, (error) =>
      libheif._heif_image_handle_get_image_tiling(error, image, 0, at),
    );
    if (fault !== undefined) return undefined;
    const numbers = libheif.HEAP32.subarray((at >> 2) + 1, (at >> 2) + 7);
    const [columns, rows, width, height, wholeWidth, wholeHeight] = numbers as unknown as [
      ...[number, number, number, number, number, number],
    ];
    return { columns, rows, width, height, wholeWidth, wholeHeight };
  } finally {
    libheif._free(at);
  }
}

/** Returns the EXIF orientation. Some phones and camera apps write no other; where the file itself turns, it repeats that. */
function orientationIn(file: OpenHeic): number {
  const exif = exifOf(file);
  const block = exif && tiffOf(exif);
  return (block && orientationOf(block)) ?? 1;
}

/** The EXIF block of the main picture. */
export function exifOf({ libheif, scratch, source }: OpenHeic): Buffer | undefined {
  if (!('image' in source)) return undefined;
  const { image } = source;
  const [type, ids] = [scratch + ERROR_BYTES, scratch + ERROR_BYTES + 8];
  libheif.HEAPU8.set(Buffer.from('Exif\0', 'latin1'), type);
  if (libheif._heif_image_handle_get_list_of_metadata_block_IDs(image, type, ids, 1) < 1) return undefined;
  const id = libheif.HEAP32[ids >> 2]!;
  const block = readBlock(
    libheif,
    scratch,
    libheif._heif_image_handle_get_metadata_size(image, id),
    (error, at) => libheif._heif_image_handle_get_metadata(error, image, id, at),
  );
  // The first four bytes say how many bytes more precede the TIFF header.
  return block && block.length >= 4 ? block.subarray(4 + block.readUInt32BE(0)) : undefined;
}

/** The ICC profile of the main picture. */
export function iccProfileOf({ libheif, scratch, source }: OpenHeic): Buffer | undefined {
  if (!('image' in source)) return undefined;
  const { image } = source;
  const size = libheif._heif_image_handle_get_raw_color_profile_size(image);
  return readBlock(libheif, scratch, size, (error, at) =>
    libheif._heif_image_handle_get_raw_color_profile(error, image, at),
  );
}

/** Returns undefined if the block is missing or cannot be read; the picture is decoded without it. */
function readBlock(
  libheif: LibHeif,
  scratch: number,
  size: number,
  read: (error: number, at: number) => void,
): Buffer | undefined {
  if (size < 1) return undefined;
  const at = libheif._malloc(size);
  try {
    const fault = attempt(libheif, scratch, (error) => read(error, at));
    return fault === undefined ? Buffer.from(libheif.HEAPU8.slice(at, at + size)) : undefined;
  } finally {
    libheif._free(at);
  }
}
