/** A file of a pack: its name in the ZIP, its size and hash. */
export interface PackedFile {
  readonly name: string;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** The files of each part, in order. */
type PackPlan<File extends PackedFile> = readonly (readonly File[])[];

/** Bytes of an empty ZIP, and of an entry without its name: local header, descriptor and entry of the directory. */
const EMPTY_BYTES = 22;
const ENTRY_BYTES = 30 + 16 + 46;

export const entryBytes = ({ name, bytes }: Pick<PackedFile, 'name' | 'bytes'>): number =>
  ENTRY_BYTES + 2 * Buffer.byteLength(name) + bytes;

/**
 * Fills parts in order. None exceeds `most` bytes except one that holds a single file. `index` is the first entry of the
 * first part, which also holds at least one file.
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

/** The head of the index: the report, and the recorded photographs whose files are missing or damaged. */
export interface IndexHead {
  readonly report: string;
  readonly reference: string;
  readonly missing: readonly string[];
}

/**
 * Plans a pack and writes `index.txt`, which gives the part, size and hash of each file. Part numbers have a fixed width, so
 * that a draft with the most parts is no shorter than the text.
 */
export function planPack<File extends PackedFile>(
  head: IndexHead,
  files: readonly File[],
  most: number,
): { plan: PackPlan<File>; index: string } {
  const mostParts = files.map((_, place) => (place === 0 ? files : []));
  const draft = { name: INDEX_NAME, bytes: Buffer.byteLength(indexText(head, mostParts, files.length)) };
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
    `Report ${reference}, in ${plan.length === 1 ? '1 part' : `${plan.length} parts`}`,
    '',
    'The report, the list of evidence, and each photograph as it was received.',
    'Part, SHA-256, bytes, name:',
    '',
    ...lines,
    ...(missing.length === 0 ? [] : ['', 'Recorded, and missing or damaged in storage:', ...missing]),
    '',
  ].join('\n');
}

interface ZipFile {
  readonly name: string;
  readonly read: () => AsyncIterable<Uint8Array>;
}

/** Yields a ZIP of uncompressed files, because photographs and PDFs do not shrink. `mtime` is in epoch milliseconds. */
export async function* zipFiles(files: readonly ZipFile[], mtime: number): AsyncGenerator<Uint8Array> {
  // Loaded with the first pack, not at the start.
  const { Zip, ZipPassThrough } = await import('fflate');
  let made: Uint8Array[] = [];
  let failure: Error | null = null;
  const zip = new Zip((error, chunk) => {
    failure ??= error;
    if (chunk.length > 0) made.push(chunk);
  });
  const take = (): Uint8Array[] => {
    if (failure) throw failure;
    const taken = made;
    made = [];
    return taken;
  };
  for (const { name, read } of files) {
    const entry = new ZipPassThrough(name);
    entry.mtime = mtime;
    zip.add(entry);
    for await (const piece of read()) {
      entry.push(piece);
      yield* take();
    }
    entry.push(new Uint8Array(0), true);
    yield* take();
  }
  zip.end();
  yield* take();
}
