import { type PackedFile, planParts, type PackPlan } from './plan-parts.js';

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
