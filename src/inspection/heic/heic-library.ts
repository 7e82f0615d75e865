import { createRequire } from 'node:module';
import { HeicFault } from './heic-fault.js';

/**
 * libheif's C interface as its WebAssembly build exports it: addresses are numbers, and a `heif_error` is written to the
 * address in the first argument. The package is pinned to one version, since structures are read by their offsets.
 * The typed arrays are replaced whenever the memory grows, so read them from here after each call.
 */
export interface LibHeif {
  readonly HEAP32: Int32Array;
  readonly HEAPF32: Float32Array;
  readonly HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _free(at: number): void;
  _heif_context_alloc(): number;
  _heif_context_free(context: number): void;
  _heif_context_get_security_limits(context: number): number;
  _heif_context_read_from_memory_without_copy(
    ...of: [error: number, context: number, bytes: number, size: number, options: number]
  ): void;
  _heif_context_get_number_of_top_level_images(context: number): number;
  _heif_context_get_list_of_top_level_image_IDs(context: number, ids: number, count: number): number;
  _heif_context_get_image_handle(error: number, context: number, id: number, handle: number): void;
  _heif_context_get_primary_image_handle(error: number, context: number, handle: number): void;
  _heif_context_get_track(context: number, id: number): number;
  _heif_context_has_sequence(context: number): number;
  _heif_track_release(track: number): void;
  _heif_track_get_image_resolution(error: number, track: number, width: number, height: number): void;
  _heif_track_decode_next_image(
    ...of: [error: number, track: number, image: number, colours: number, chroma: number, options: number]
  ): void;
  _heif_image_handle_release(handle: number): void;
  _heif_image_handle_get_item_id(handle: number): number;
  _heif_image_handle_get_width(handle: number): number;
  _heif_image_handle_get_height(handle: number): number;
  _heif_image_handle_has_alpha_channel(handle: number): number;
  _heif_image_handle_get_luma_bits_per_pixel(handle: number): number;
  _heif_image_handle_get_preferred_decoding_colorspace(
    ...of: [error: number, handle: number, colours: number, chroma: number]
  ): void;
  _heif_image_handle_get_image_tiling(
    ...of: [error: number, handle: number, transformed: number, tiling: number]
  ): void;
  _heif_image_handle_get_raw_color_profile_size(handle: number): number;
  _heif_image_handle_get_raw_color_profile(error: number, handle: number, bytes: number): void;
  _heif_image_handle_get_list_of_metadata_block_IDs(
    ...of: [handle: number, type: number, ids: number, count: number]
  ): number;
  _heif_image_handle_get_metadata_size(handle: number, id: number): number;
  _heif_image_handle_get_metadata(error: number, handle: number, id: number, bytes: number): void;
  _heif_item_get_item_type(context: number, item: number): number;
  _heif_item_get_transformation_properties(
    ...of: [context: number, item: number, ids: number, count: number]
  ): number;
  _heif_item_get_property_type(context: number, item: number, property: number): number;
  _heif_item_get_property_transform_mirror(context: number, item: number, property: number): number;
  _heif_item_get_property_transform_rotation_ccw(context: number, item: number, property: number): number;
  _heif_item_get_property_transform_crop_borders(
    ...of: [
      ...[context: number, item: number, property: number, width: number, height: number],
      ...[left: number, top: number, right: number, bottom: number],
    ]
  ): void;
  _heif_decoding_options_alloc(): number;
  _heif_decoding_options_free(options: number): void;
  _heif_decode_image(
    ...of: [error: number, handle: number, image: number, colours: number, chroma: number, options: number]
  ): void;
  _heif_image_handle_decode_image_tile(
    ...of: [
      ...[error: number, handle: number, image: number, colours: number, chroma: number, options: number],
      ...[column: number, row: number],
    ]
  ): void;
  _heif_image_release(image: number): void;
  _heif_image_get_colorspace(image: number): number;
  _heif_image_has_channel(image: number, channel: number): number;
  _heif_image_get_width(image: number, channel: number): number;
  _heif_image_get_height(image: number, channel: number): number;
  _heif_image_get_bits_per_pixel_range(image: number, channel: number): number;
  _heif_image_get_plane_readonly2(image: number, channel: number, stride: number): number;
  _heif_image_is_premultiplied_alpha(image: number): number;
  _heif_image_get_nclx_color_profile(error: number, image: number, profile: number): void;
  _heif_nclx_color_profile_free(profile: number): void;
}

/** A file that libheif has opened. */
export interface OpenHeic {
  readonly libheif: LibHeif;
  readonly context: number;
  /** Address of 64 bytes: a `heif_error`, and after it the out parameters of calls. */
  readonly scratch: number;
  readonly source: HeicSource;
}

/** An image of the file, else the track of a sequence. */
export type HeicSource = { readonly image: number } | { readonly track: number };

/** The size of a `heif_error`. */
export const ERROR_BYTES = 12;

let loaded: LibHeif | undefined;

/** Loads libheif on the first HEIC file, because the module holds megabytes of WebAssembly. */
export function loadLibHeif(): LibHeif {
  loaded ??= (createRequire(import.meta.url)('libheif-js/libheif-wasm/libheif-bundle.js') as () => LibHeif)();
  return loaded;
}

/** Discards the instance, which is in an unknown state after WebAssembly trapped in it. */
export const discardLibHeif = (): void => {
  loaded = undefined;
};

/** Numbers of `heif_error_code` and `heif_suberror_code`. */
const [UNSUPPORTED_FILE, UNSUPPORTED_FEATURE, OUT_OF_MEMORY, NO_DECODER] = [3, 4, 6, 11];
const INVALID_SIZE = 129;

/** Calls a libheif function, and throws the error that it reports as a fault of the file. */
export function check(libheif: LibHeif, error: number, call: (error: number) => void): void {
  const fault = attempt(libheif, error, call);
  if (fault !== undefined) throw fault;
}

/** Calls a libheif function, and returns the error that it reports as a fault of the file. */
export function attempt(
  libheif: LibHeif,
  error: number,
  call: (error: number) => void,
): HeicFault | undefined {
  call(error);
  const [code, subcode] = [libheif.HEAP32[error >> 2]!, libheif.HEAP32[(error >> 2) + 1]!];
  return code === 0 ? undefined : faultOf(code, subcode);
}

function faultOf(code: number, subcode: number): HeicFault {
  if ([UNSUPPORTED_FILE, UNSUPPORTED_FEATURE, NO_DECODER].includes(code)) return new HeicFault('unsupported');
  if (code === OUT_OF_MEMORY && subcode !== INVALID_SIZE) return new HeicFault('too_large');
  return new HeicFault('damaged');
}
