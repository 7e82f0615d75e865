import type { JpegSegment } from './jpeg-structure.js';

/** Bits of a code that one table look-up decodes; longer codes take the slow path. */
export const LOOK = 10;
/** Bits in which one look-up decodes every code that ends within them. */
export const WIDE_LOOK = 13;
/** Flags of a table entry: end of block, or a run of sixteen zeros. */
export const END_OF_BLOCK = 1 << 24;
const SIXTEEN_ZEROS = 2 << 24;

/**
 * The entries of a Huffman table: bits of code and value, then (`<< 8`) the places to advance within the block (for DC:
 * the bits of the value), and flags. Zero in `short` stands for a longer code or none.
 */
export interface Codes {
  readonly short: Int32Array;
  /** Bits, places and flags as above, summed over all codes and values that end within `WIDE_LOOK` bits. */
  readonly several: Int32Array;
  /** By length of the code, 1 to 16: the first code, how many there are, and the place of the first entry in `entries`. */
  readonly first: Int32Array;
  readonly count: Uint8Array;
  readonly offset: Int32Array;
  readonly entries: Int32Array;
}

/** Adds the Huffman tables of a segment by their names: the class (0 for DC, 1 for AC) and a number. */
export function readCodes(bytes: Uint8Array, { body, end }: JpegSegment, tables: Map<number, Codes>): void {
  for (let at = body + 2; at + 17 <= end;) {
    const name = bytes[at]!;
    const counts = bytes.subarray(at + 1, at + 17);
    const total = counts.reduce((sum, count) => sum + count, 0);
    if (total > 256 || at + 17 + total > end) return;
    tables.set(name, codesOf(counts, bytes.subarray(at + 17, at + 17 + total), name >> 4 === 0));
    at += 17 + total;
  }
}

function codesOf(counts: Uint8Array, symbols: Uint8Array, isDc: boolean): Codes {
  const short = new Int32Array(1 << LOOK);
  const [first, offset] = [new Int32Array(17), new Int32Array(17)];
  const count = new Uint8Array(17);
  const entries = new Int32Array(symbols.length);
  let [code, place] = [0, 0];
  for (let length = 1; length <= 16; length++) {
    first[length] = code;
    offset[length] = place;
    count[length] = counts[length - 1]!;
    for (let index = 0; index < counts[length - 1]!; index++, code++, place++) {
      const entry = entryOf(length, symbols[place]!, isDc);
      entries[place] = entry;
      if (length <= LOOK) short.fill(entry, code << (LOOK - length), (code + 1) << (LOOK - length));
    }
    code <<= 1;
  }
  return { short, several: severalOf(short), first, count, offset, entries };
}

function severalOf(short: Int32Array): Int32Array {
  const several = new Int32Array(1 << WIDE_LOOK);
  const mask = several.length - 1;
  for (let window = 0; window < several.length; window++) {
    let [at, places, mark] = [0, 0, 0];
    while (mark === 0) {
      const entry = short[((window << at) & mask) >> (WIDE_LOOK - LOOK)]!;
      if (entry === 0 || entry >= SIXTEEN_ZEROS || at + (entry & 255) > WIDE_LOOK) break;
      at += entry & 255;
      if (entry >= END_OF_BLOCK) mark = END_OF_BLOCK;
      else places += entry >> 8;
    }
    several[window] = at + (places << 8) + mark;
  }
  return several;
}

function entryOf(length: number, symbol: number, isDc: boolean): number {
  if (isDc) return length + (symbol & 15) + ((symbol & 15) << 8);
  const [run, size] = [symbol >> 4, symbol & 15];
  if (size > 0) return length + size + ((run + 1) << 8);
  return run === 15 ? length + (16 << 8) + SIXTEEN_ZEROS : length + (64 << 8) + END_OF_BLOCK;
}
