import { createRequire } from 'node:module';
import { undecodable } from './picture.js';
import { type HeicColours, type HeicPlane, shrinkToRgb } from './heic-colours.js';

/** Pixels of a decoded HEIC picture, upright, three bytes each (RGB), shrunk to no less than was asked for. */
export interface RawPicture {
  data: Buffer;
  width: number;
  height: number;
}

interface HeifImage {
  readonly handle: unknown;
  is_primary?(): boolean;
  free?(): void;
}

/** An enumeration of C: its members are compared by identity. */
type Word = Readonly<{ value: number }>;

interface DecodedHeif {
  /** Its address in the memory of WebAssembly is not promised by the package: without it the usual colours are taken. */
  readonly image: { readonly $$?: { readonly ptr?: number } };
  readonly code?: Word;
  readonly channels?: readonly (HeicPlane & { readonly id: Word })[];
}

interface LibHeif {
  HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] };
  heif_colorspace: Readonly<Record<'heif_colorspace_YCbCr', Word>>;
  heif_chroma: Readonly<Record<'heif_chroma_420', Word>>;
  heif_channel: Readonly<
    Record<'heif_channel_Y' | 'heif_channel_Cb' | 'heif_channel_Cr' | 'heif_channel_Alpha', Word>
  >;
  heif_js_decode_image2(handle: unknown, colours: Word, chroma: Word): Promise<DecodedHeif> | DecodedHeif;
  readonly HEAP32: Int32Array;
  readonly HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _free(at: number): void;
  _heif_image_get_nclx_color_profile(error: number, image: number, profile: number): void;
  _heif_nclx_color_profile_free(profile: number): void;
}

/** libheif's default for a picture without colour information: BT.601, full range. */
const USUAL: HeicColours = { matrix: 6, fullRange: true };

/**
 * Decodes HEIC/HEIF with libheif in WebAssembly, on the calling thread, as it is coded (luminance and colours apart),
 * and shrinks while it turns that into RGB: about 3 bytes of memory a pixel, where asking libheif for RGB takes 12.
 * The result is at least `side` long, or as large as the picture is.
 */
export async function decodeHeic(bytes: Uint8Array, side: number): Promise<RawPicture> {
  // Loaded with the first HEIC: the module holds megabytes of WebAssembly.
  const libheif = createRequire(import.meta.url)('libheif-js/wasm-bundle.js') as LibHeif;
  const images = new libheif.HeifDecoder().decode(bytes);
  const image = images.find((candidate) => candidate.is_primary?.()) ?? images[0];
  if (image === undefined) throw undecodable('holds no image that can be read');
  try {
    const decoded = await libheif.heif_js_decode_image2(
      image.handle,
      libheif.heif_colorspace.heif_colorspace_YCbCr,
      libheif.heif_chroma.heif_chroma_420,
    );
    const { heif_channel: names } = libheif;
    const plane = (id: Word): HeicPlane | undefined => decoded.channels?.find((each) => each.id === id);
    const [y, cb, cr] = [
      plane(names.heif_channel_Y),
      plane(names.heif_channel_Cb),
      plane(names.heif_channel_Cr),
    ];
    if (y === undefined) throw undecodable('is damaged and cannot be decoded');
    const alpha = plane(names.heif_channel_Alpha);
    const planes = { y, ...(cb && cr ? { cb, cr } : {}), ...(alpha ? { alpha } : {}) };
    return shrinkToRgb(planes, coloursOf(libheif, decoded), side);
  } finally {
    for (const each of images) each.free?.();
  }
}

/** Reads `struct heif_color_profile_nclx`: a version, three numbers of four bytes, and whether the range is full. */
function coloursOf(libheif: LibHeif, { image }: DecodedHeif): HeicColours {
  const address = image.$$?.ptr;
  if (address === undefined) return USUAL;
  const room = libheif._malloc(24);
  try {
    libheif.HEAP32[(room >> 2) + 4] = 0;
    libheif._heif_image_get_nclx_color_profile(room, address, room + 16);
    const profile = libheif.HEAP32[(room >> 2) + 4]!;
    if (profile === 0) return USUAL;
    const matrix = libheif.HEAP32[(profile >> 2) + 3]!;
    const fullRange = libheif.HEAPU8[profile + 16] !== 0;
    libheif._heif_nclx_color_profile_free(profile);
    return { matrix, fullRange };
  } finally {
    libheif._free(room);
  }
}
