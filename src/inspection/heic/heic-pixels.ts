import { type HeicFile, withHeic } from './heic-file.js';
import { type HeicTiles, iccProfileOf } from './heic-header.js';
import { AS_CODED, coloursOf, planesOf } from './heic-image.js';
import { check, ERROR_BYTES, type LibHeif } from './heic-library.js';
import { type RawPicture, shrink } from './heic-shrink.js';
import { TileReader } from './heic-tiles.js';
import { asCoded, type Placement } from './heic-transforms.js';

/** A decoded HEIC picture, no smaller than the requested size. */
export interface HeicPicture extends RawPicture {
  /** The ICC profile of its colours; without one they are sRGB. */
  readonly profile?: Buffer;
  /** True if some tiles cannot be read and are grey. */
  readonly isPartial: boolean;
}

/**
 * Decodes HEIC/HEIF with libheif in WebAssembly on the calling thread. Decodes one row of tiles at a time to coded
 * planes, and shrinks them while converting to RGB. The long side of the result is at least `side`, or that of the
 * picture if it is smaller. Throws `HeicFault`.
 */
export function decodeHeic(bytes: Uint8Array, side: number): HeicPicture {
  return withHeic(bytes, (file) => {
    const { libheif, header } = file;
    const options = libheif._heif_decoding_options_alloc();
    try {
      keepColours(libheif, options);
      // Transforming the shrunk result takes less memory than letting libheif transform the full picture.
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

/** Offsets in `struct heif_decoding_options`; the flag for colours exists from version 10 of the struct. */
const [VERSION, IGNORE_TRANSFORMATIONS, KEEP_COLOURS] = [0, 1, 69];

/** Prevents the conversion to BT.601, which takes time and memory. */
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
