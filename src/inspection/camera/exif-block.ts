/** A segment of JPEG holds 64 KB; containers of other formats would take any length. */
const MOST_BYTES = 128 * 1024;
const MOST_DIRECTORIES = 8;
const MOST_ENTRIES = 200;
/** Numbers of one entry. What a camera says takes three; tables of its maker are opaque bytes. */
const MOST_NUMBERS = 4096;

const ASCII = 2;
const LONG = 4;
const OPAQUE = 7;
/** The entries that point to further directories: of the picture, of the place, of interoperability. */
const POINTERS: ReadonlySet<number> = new Set([0x8769, 0x8825, 0xa005]);

/**
 * Whether reading the whole of an EXIF block is cheap. Each of thousands of entries may claim all bytes of the block as
 * its numbers, and directories may be each other's: 64 KB were read for minutes, into gigabytes. A block that claims more
 * than any camera writes is not read at all.
 */
export function isBoundedExif(block: Buffer): boolean {
  if (block.length > MOST_BYTES) return false;
  const start = /^(II\x2a|MM\0)/.test(block.toString('latin1', 0, 3)) ? 0 : 6;
  if (block.length < start + 8) return false;
  const little = block.toString('latin1', start, start + 2) === 'II';
  const short = (at: number) => (little ? block.readUInt16LE(at) : block.readUInt16BE(at));
  const long = (at: number) => (little ? block.readUInt32LE(at) : block.readUInt32BE(at));
  const waiting = [long(start + 4) + start];
  const seen = new Set<number>();
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    if (seen.has(directory) || directory + 2 > block.length) continue;
    if (seen.add(directory).size > MOST_DIRECTORIES) return false;
    const entries = short(directory);
    if (entries > MOST_ENTRIES) return false;
    const end = directory + 2 + entries * 12;
    for (let at = directory + 2; at + 12 <= Math.min(end, block.length); at += 12) {
      const [tag, type, count] = [short(at), short(at + 2), long(at + 4)];
      if (type !== ASCII && type !== OPAQUE && count > MOST_NUMBERS) return false;
      if (!POINTERS.has(tag)) continue;
      if (type !== LONG || count !== 1) return false;
      waiting.push(long(at + 8) + start);
    }
    if (end + 4 <= block.length && long(end) !== 0) waiting.push(long(end) + start);
  }
  return true;
}
