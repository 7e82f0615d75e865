import { type TiffEntry, TiffReader } from './tiff-directory.js';

const ASCII = 2;
const LONG = 4;
const RATIONAL = 5;
const OPAQUE = 7;
const SIGNED_LONG = 9;
const SIGNED_RATIONAL = 10;
const DIRECTORY = 13;
const UTF8 = 129;
const TEXTS: ReadonlySet<number> = new Set([ASCII, OPAQUE, UTF8]);
const POINTERS: ReadonlySet<number> = new Set([LONG, SIGNED_LONG, DIRECTORY]);

const EXIF_POINTER = 0x8769;
const GPS_POINTER = 0x8825;

/** The most bytes of one text that are read. */
const MOST_TEXT = 400;

/** The three directories of an EXIF block whose tags are read. */
export interface ExifDirectories {
  readonly image: ExifDirectory;
  readonly photo: ExifDirectory;
  readonly gps: ExifDirectory;
}

/**
 * Opens an EXIF block, with or without its name, or a whole TIFF file; undefined for other bytes. Only the entries that are
 * asked for are read, so that a faulty one, or a thumbnail's directory, hides no other, and any block takes bounded work.
 */
export function openExif(bytes: Buffer): ExifDirectories | undefined {
  const block = tiffOf(bytes);
  if (block === undefined) return undefined;
  const reader = new TiffReader(block);
  const image = new ExifDirectory(block, reader, reader.long(4));
  return { image, photo: image.inner(EXIF_POINTER), gps: image.inner(GPS_POINTER) };
}

/** Returns the TIFF of an EXIF block, which its name may precede; undefined for other bytes. */
export function tiffOf(bytes: Buffer): Buffer | undefined {
  const block = /^Exif\0/.test(bytes.toString('latin1', 0, 5)) ? bytes.subarray(6) : bytes;
  return block.length >= 8 && /^(II\x2a\0|MM\0\x2a)/.test(block.toString('latin1', 0, 4)) ? block : undefined;
}

/** One directory; empty if it lies outside of the block. */
export class ExifDirectory {
  private readonly entries = new Map<number, TiffEntry>();

  constructor(
    private readonly block: Buffer,
    private readonly reader: TiffReader,
    at: number | undefined,
  ) {
    if (at !== undefined) for (const entry of reader.entries(at)) this.entries.set(entry.tag, entry);
  }

  /** Opens the directory to which a tag points. */
  inner(tag: number): ExifDirectory {
    const entry = this.entries.get(tag);
    const isPointer = entry !== undefined && POINTERS.has(entry.type) && entry.count === 1;
    return new ExifDirectory(this.block, this.reader, isPointer ? this.reader.long(entry.at) : undefined);
  }

  /** Returns a text up to its final zero; "" without one. Some cameras write UTF-8 in place of ASCII. */
  text(tag: number): string {
    const entry = this.entries.get(tag);
    if (!entry || !TEXTS.has(entry.type)) return '';
    const at = entry.count > 4 ? this.reader.long(entry.at) : entry.at;
    const bytes = this.block.subarray(at, at + Math.min(entry.count, MOST_TEXT));
    return bytes.toString('utf8').replace(/\0+$/, '');
  }

  /** Returns three fractions, NaN for one divided by zero; undefined if the block does not have them. */
  fractions(tag: number): readonly [number, number, number] | undefined {
    const entry = this.entries.get(tag);
    if (!entry || (entry.type !== RATIONAL && entry.type !== SIGNED_RATIONAL) || entry.count !== 3)
      return undefined;
    const at = this.reader.long(entry.at);
    if (at + 24 > this.reader.length) return undefined;
    const fraction = (place: number): number => this.reader.long(place) / this.reader.long(place + 4);
    return [fraction(at), fraction(at + 8), fraction(at + 16)];
  }
}
