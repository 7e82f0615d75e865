/** One entry of a directory. `at` is the place of its value, or of the value's offset, in the block. */
export interface TiffEntry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  readonly at: number;
}

/** Reads the numbers and the directories of a TIFF block, which EXIF is as well. Offsets are from the block's first byte. */
export class TiffReader {
  private readonly view: DataView;
  private readonly little: boolean;

  constructor(block: Uint8Array) {
    this.view = new DataView(block.buffer, block.byteOffset, block.byteLength);
    this.little = block[0] === 0x49;
  }

  get length(): number {
    return this.view.byteLength;
  }

  short(at: number): number {
    return this.view.getUint16(at, this.little);
  }

  long(at: number): number {
    return this.view.getUint32(at, this.little);
  }

  /** Number of entries that the directory claims to have; undefined where it lies outside of the block. */
  size(directory: number): number | undefined {
    return directory + 2 > this.length ? undefined : this.short(directory);
  }

  /** The entries of the directory, as far as the block has them. */
  *entries(directory: number): Generator<TiffEntry> {
    const end = directory + 2 + 12 * (this.size(directory) ?? 0);
    for (let at = directory + 2; at + 12 <= Math.min(end, this.length); at += 12)
      yield { tag: this.short(at), type: this.short(at + 2), count: this.long(at + 4), at: at + 8 };
  }
}

/** Finds an entry of the first directory. */
export function firstEntry(reader: TiffReader, tag: number): TiffEntry | undefined {
  if (reader.length < 8) return undefined;
  for (const entry of reader.entries(reader.long(4))) if (entry.tag === tag) return entry;
  return undefined;
}

const ORIENTATION = 0x0112;

/** Returns the EXIF orientation in the first directory, 1 to 8. */
export function orientationOf(block: Uint8Array): number | undefined {
  const reader = new TiffReader(block);
  const entry = firstEntry(reader, ORIENTATION);
  const value = entry && reader.short(entry.at);
  return value !== undefined && value >= 1 && value <= 8 ? value : undefined;
}
