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
function planParts<File extends PackedFile>(
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

export const INDEX_NAME = 'index.txt';

/** The head of the index: the report, and the pictures that are recorded and could not be found. */
export interface IndexHead {
  readonly report: string;
  readonly reference: string;
  readonly missing: readonly string[];
}

/**
 * The plan of a pack, and `index.txt`, which says of each file its part, size and hash. Part numbers have a fixed
 * width, so that the text weighs the same before the plan is known.
 */
export function planPack<File extends PackedFile>(
  head: IndexHead,
  files: readonly File[],
  most: number,
): { plan: PackPlan<File>; index: string } {
  const draft = { name: INDEX_NAME, bytes: Buffer.byteLength(indexText(head, [files], files.length)) };
  const plan = planParts(draft, files, most);
  return { plan, index: indexText(head, plan, files.length) };
}

function indexText({ report, reference, missing }: IndexHead, plan: PackPlan<PackedFile>, width: number) {
  const digits = String(width).length;
  const numbered = (n: number) => String(n).padStart(digits);
  const lines = plan.flatMap((part, place) =>
    part.map(({ name, bytes, sha256 }) => `${numbered(place + 1)}  ${sha256}  ${bytes}  ${name}`),
  );
  return [
    `${report}`,
    `Report ${reference}, in ${numbered(plan.length)} part(s)`,
    '',
    'The report, the list of evidence, and each photograph as it was received.',
    'Part, SHA-256, bytes, name:',
    '',
    ...lines,
    ...(missing.length === 0 ? [] : ['', 'Recorded, and missing or damaged in storage:', ...missing]),
    '',
  ].join('\n');
}
