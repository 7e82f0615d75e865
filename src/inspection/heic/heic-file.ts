import { HeicFault } from './heic-fault.js';
import { type HeicHeader, readHeader } from './heic-header.js';
import {
  attempt,
  check,
  discardLibHeif,
  ERROR_BYTES,
  type HeicSource,
  type LibHeif,
  loadLibHeif,
  type OpenHeic,
} from './heic-library.js';

/** A HEIC file in the memory of libheif, and the header of its main picture. */
export interface HeicFile extends OpenHeic {
  readonly header: HeicHeader;
}

/** Limit on items of a file (tiles, thumbnails, gain maps). libheif's default of 1,000 is too low for 200 megapixels. */
const MOST_ITEMS = 20_000;
const MOST_ITEMS_OFFSET = 28;
const SCRATCH_BYTES = 64;

/** Opens a HEIC file for `use` and frees its memory afterwards. Throws `HeicFault` for one that cannot be read. */
export function withHeic<Result>(bytes: Uint8Array, use: (file: HeicFile) => Result): Result {
  try {
    return open(bytes, (file) => {
      const header = readHeader(file);
      if (header.tiles !== undefined || !header.isCropped) return use({ ...file, header });
      return open(uncropped(bytes), (whole) => use({ ...whole, header }));
    });
  } catch (error) {
    if (error instanceof HeicFault) throw error;
    // WebAssembly trapped: out of memory, or a file that it cannot decode.
    discardLibHeif();
    throw new HeicFault('unsupported');
  }
}

function open<Result>(bytes: Uint8Array, use: (file: OpenHeic) => Result): Result {
  const libheif = loadLibHeif();
  return withContext(libheif, bytes, (context, scratch) => {
    const source = openSource(libheif, context, scratch);
    try {
      return use({ libheif, context, scratch, source });
    } finally {
      if ('image' in source) libheif._heif_image_handle_release(source.image);
      else libheif._heif_track_release(source.track);
    }
  });
}

/** Returns the file without something that libheif refuses; undefined if it has none. */
type Repair = (bytes: Uint8Array) => Buffer | undefined;

/** Copies the bytes into libheif's memory once; libheif reads them there. */
function withContext<Result>(
  libheif: LibHeif,
  bytes: Uint8Array,
  use: (context: number, scratch: number) => Result,
  repairs: readonly Repair[] = [rebranded, withoutRepeatedReferences],
): Result {
  const scratch = libheif._malloc(SCRATCH_BYTES);
  const copy = libheif._malloc(bytes.length);
  const context = libheif._heif_context_alloc();
  try {
    libheif.HEAPU8.set(bytes, copy);
    const limits = libheif._heif_context_get_security_limits(context);
    libheif.HEAP32[(limits + MOST_ITEMS_OFFSET) >> 2] = MOST_ITEMS;
    const fault = attempt(libheif, scratch, (error) =>
      libheif._heif_context_read_from_memory_without_copy(error, context, copy, bytes.length, 0),
    );
    if (fault === undefined) return use(context, scratch);
    for (const [index, repair] of repairs.entries()) {
      const again = repair(bytes);
      if (again !== undefined) return withContext(libheif, again, use, repairs.slice(index + 1));
    }
    throw fault;
  } finally {
    libheif._heif_context_free(context);
    libheif._free(copy);
    libheif._free(scratch);
  }
}

/** The primary image, else the first one, else the first of a sequence. */
function openSource(libheif: LibHeif, context: number, scratch: number): HeicSource {
  const found = scratch + ERROR_BYTES;
  if (libheif._heif_context_get_number_of_top_level_images(context) > 0) {
    const fault = attempt(libheif, scratch, (error) =>
      libheif._heif_context_get_primary_image_handle(error, context, found),
    );
    if (fault !== undefined) {
      libheif._heif_context_get_list_of_top_level_image_IDs(context, found, 1);
      const first = libheif.HEAP32[found >> 2]!;
      check(libheif, scratch, (error) =>
        libheif._heif_context_get_image_handle(error, context, first, found),
      );
    }
    return { image: libheif.HEAP32[found >> 2]! };
  }
  const track = libheif._heif_context_has_sequence(context) ? libheif._heif_context_get_track(context, 0) : 0;
  if (track === 0) throw new HeicFault('without_image');
  return { track };
}

const [MAJOR_BRAND, COMPATIBLE_BRANDS] = [8, 16];
/** Bytes of a `clap` box. */
const CROP_BYTES = 40;

/**
 * Returns the file with brands that libheif accepts: it refuses unknown ones, and single images under the brand of
 * sequences. Undefined if the file has neither an image nor a sequence.
 */
function rebranded(bytes: Uint8Array): Buffer | undefined {
  const file = Buffer.from(bytes);
  const boxes = topLevelBoxes(file);
  const [type] = boxes;
  const brand = boxes.some(({ name }) => name === 'meta') ? 'mif1' : 'msf1';
  if (type?.name !== 'ftyp' || !boxes.some(({ name }) => name === 'meta' || name === 'moov'))
    return undefined;
  file.write(brand, MAJOR_BRAND, 'latin1');
  for (let at = COMPATIBLE_BRANDS; at + 4 <= type.size; at += 4) file.write(brand, at, 'latin1');
  return file;
}

/**
 * Returns the file with each crop replaced by a rotation of 0 degrees: libheif mistakes the cropped size for the coded
 * size, and refuses pictures that are much larger than it.
 */
function uncropped(bytes: Uint8Array): Buffer {
  const file = Buffer.from(bytes);
  for (let at = file.indexOf('clap', 4, 'latin1'); at !== -1; at = file.indexOf('clap', at + 4, 'latin1')) {
    if (file.readUInt32BE(at - 4) !== CROP_BYTES || at + CROP_BYTES - 4 > file.length) continue;
    file.write('irot\0', at, 'latin1');
  }
  return file;
}

/**
 * Returns the file with unused ids in place of repeated ones in a list of references, such as those of a collage that
 * shows one picture twice: the other pictures of the file can be decoded.
 */
function withoutRepeatedReferences(bytes: Uint8Array): Buffer | undefined {
  const file = Buffer.from(bytes);
  const found = file.indexOf('iref', 4, 'latin1');
  if (found === -1 || found + 8 > file.length) return undefined;
  const end = Math.min(file.length, found - 4 + file.readUInt32BE(found - 4));
  const idBytes = file[found + 4] === 0 ? 2 : 4;
  let unused = 256 ** idBytes - 1;
  for (let at = found + 8; at + 10 + idBytes <= end;) {
    const size = file.readUInt32BE(at);
    const seen = new Set<number>();
    for (let id = at + 10 + idBytes; id + idBytes <= Math.min(at + size, end); id += idBytes) {
      if (seen.has(file.readUIntBE(id, idBytes))) file.writeUIntBE(unused--, id, idBytes);
      seen.add(file.readUIntBE(id, idBytes));
    }
    if (size < 8) break;
    at += size;
  }
  return unused === 256 ** idBytes - 1 ? undefined : file;
}

function topLevelBoxes(file: Buffer): { name: string; size: number }[] {
  const boxes: { name: string; size: number }[] = [];
  for (let at = 0; at + 16 <= file.length;) {
    const short = file.readUInt32BE(at);
    const size = short === 1 ? Number(file.readBigUInt64BE(at + 8)) : short;
    boxes.push({ name: file.toString('latin1', at + 4, at + 8), size });
    if (size < 8) break;
    at += size;
  }
  return boxes;
}
