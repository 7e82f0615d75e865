/** A file of a pack: its name in the ZIP, and what it weighs. */
export interface PackedFile {
  readonly name: string;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** The files of each part, in order. */
export type PackPlan<File extends PackedFile> = readonly (readonly File[])[];

/** A ZIP without its files, and with one more: local header, descriptor, entry of the directory, and the name twice. */
const EMPTY_BYTES = 22;
const ENTRY_BYTES = 30 + 16 + 46;

export const entryBytes = ({ name, bytes }: Pick<PackedFile, 'name' | 'bytes'>): number =>
  ENTRY_BYTES + 2 * Buffer.byteLength(name) + bytes;

/**
 * Fills parts in order, none over `most` bytes but for one that holds a single file; `index` goes ahead into the first,
 * which keeps at least one file of the list.
 */
export function planParts<File extends PackedFile>(
  index: Pick<PackedFile, 'name' | 'bytes'>,
  files: readonly File[],
  most: number,
): PackPlan<File> {
  const parts: File[][] = [[]];
  let weight = EMPTY_BYTES + entryBytes(index);
  for (const file of files) {
    const own = entryBytes(file);
    if (weight + own > most && parts.at(-1)!.length > 0) {
      parts.push([]);
      weight = EMPTY_BYTES;
    }
    parts.at(-1)!.push(file);
    weight += own;
  }
  return parts;
}
