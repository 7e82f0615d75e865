import { unextractable } from './extraction-terms.js';

/** One file of a ZIP archive, as listed in the archive's directory. */
interface ZipEntry {
  readonly name: string;
  /** Declared inflated bytes, which may be wrong. */
  readonly size: number;
}

const END = 0x06054b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
const MOST_ENTRIES = 10_000;

/** Reads the directory of an archive without inflating anything. Throws `Unextractable` if there is none. */
export function entriesOf(bytes: Buffer): ZipEntry[] {
  const end = endOf(bytes);
  const count = bytes.readUInt16LE(end + 10);
  if (count > MOST_ENTRIES)
    throw unextractable(
      'document_too_large',
      'The document is an archive of too many files. Save it in another format.',
    );
  const entries: ZipEntry[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    if (at + ENTRY_BYTES > end || bytes.readUInt32LE(at) !== ENTRY) throw damaged();
    const names = at + ENTRY_BYTES;
    const nameLength = bytes.readUInt16LE(at + 28);
    entries.push({
      name: bytes.toString('utf8', names, names + nameLength),
      size: bytes.readUInt32LE(at + 24),
    });
    at = names + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

function endOf(bytes: Buffer): number {
  const last = bytes.length - END_BYTES;
  for (let at = last; at >= Math.max(0, last - LONGEST_COMMENT); at--)
    if (bytes.readUInt32LE(at) === END) return at;
  throw damaged();
}

const damaged = (): Error =>
  unextractable(
    'document_unreadable',
    'The document is damaged or incomplete. Send it again, or save it again first.',
  );
