import { type HeicFile, withHeic } from './heic-file.js';
import { type HeicTiles, iccProfileOf } from './heic-header.js';
import { AS_CODED, coloursOf, planesOf } from './heic-image.js';
import { check, ERROR_BYTES, type LibHeif } from './heic-library.js';
import { type RawPicture, shrink } from './heic-shrink.js';
import { TileReader } from './heic-tiles.js';
import { asCoded, type Placement } from './heic-transforms.js';

/** A decoded HEIC picture, shrunk to no less than was asked for. */
export interface HeicPicture extends RawPicture {
  /** The ICC profile of its colours; without one they are sRGB. */
  readonly profile?: Buffer;
  /** Tiles of it cannot be read, and are grey. */
  readonly isPartial: boolean;
}

/**
 * Decodes HEIC/HEIF with libheif in WebAssembly, on the calling thread, as it is coded (luminance and colours apart),
 * one row of tiles after another, and shrinks while it turns that into RGB. The result is at least `side` long, or as
 * large as the picture is. Throws `HeicFault`.
 */
export function decodeHeic(bytes: Uint8Array, side: number): HeicPicture {
  return withHeic(bytes, (file) => {
    const { libheif, header } = file;
    const options = libheif._heif_decoding_options_alloc();
    try {
      keepColours(libheif, options);
      // Turning and cropping the result takes less memory than letting libheif turn and crop what it decoded.
      libheif.HEAPU8[options + IGNORE_TRANSFORMATIONS] = Number(header.placement !== undefined);
      const profile = iccProfileOf(file);
      const decoding: Decoding = { file, options, side, hasProfile: profile !== undefined };
      const { tiles, placement } = header;
      const picture = tiles && placement ? decodeTiles(decoding, tiles, placement) : decodeWhole(decoding);
      return { ...picture, ...(profile === undefined ? {} : { profile }) };
    } finally {
      libheif._heif_decoding_options_free(options);
    }
  });
}

interface Decoding {
  readonly file: HeicFile;
  /** Address of a `heif_decoding_options`. */
  readonly options: number;
  readonly side: number;
  readonly hasProfile: boolean;
}

type Decoded = Omit<HeicPicture, 'profile'>;

/** Offsets in `struct heif_decoding_options`, whose flag for colours came with its tenth version. */
const [VERSION, IGNORE_TRANSFORMATIONS, KEEP_COLOURS] = [0, 1, 69];

/** Without the flag libheif converts luminance and colours to BT.601, which takes time and memory. */
function keepColours({ HEAPU8 }: LibHeif, options: number): void {
  if (HEAPU8[options + VERSION]! < 10)
    throw new Error('This libheif has no flag to keep colours as they are coded');
  HEAPU8[options + KEEP_COLOURS] = 1;
}

function decodeWhole({ file, options, side, hasProfile }: Decoding): Decoded {
  const { libheif, scratch, source } = file;
  const found = scratch + ERROR_BYTES;
  check(libheif, scratch, (error) =>
    'image' in source
      ? libheif._heif_decode_image(error, source.image, found, ...AS_CODED, options)
      : libheif._heif_track_decode_next_image(error, source.track, found, ...AS_CODED, options),
  );
  const image = libheif.HEAP32[found >> 2]!;
  try {
    const planes = planesOf(file, image);
    const placement = file.header.placement ?? asCoded(planes.y.width, planes.y.height);
    const isPremultiplied = libheif._heif_image_is_premultiplied_alpha(image) !== 0;
    const colours = coloursOf(file, image);
    const picture = shrink([[{ left: 0, planes }]], {
      placement,
      colours,
      hasProfile,
      isPremultiplied,
      side,
    });
    return { ...picture, isPartial: false };
  } finally {
    libheif._heif_image_release(image);
  }
}

function decodeTiles(
  { file, options, side, hasProfile }: Decoding,
  tiles: HeicTiles,
  placement: Placement,
): Decoded {
  const reader = new TileReader(file, tiles, options);
  try {
    const colours = coloursOf(file, reader.first);
    const picture = shrink(reader.bands(), { placement, colours, hasProfile, isPremultiplied: false, side });
    return { ...picture, isPartial: reader.isPartial };
  } finally {
    reader.close();
  }
}
