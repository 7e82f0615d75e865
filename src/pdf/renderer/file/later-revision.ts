import type { Hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import { type FileEnd, fileEnd, type FileObject } from './file-end.js';

/**
 * The revision after the seal: the stored one of the same file, or a new one to be signed, with its instant (epoch
 * milliseconds) and the bytes reserved for the signature.
 */
export type RevisionOrder =
  | { readonly stored: Uint8Array }
  | { readonly signedAt: number; readonly reserved: number };

/** An appended revision: the size of the whole file, and its SHA-256 (hex) or the data to be signed. */
export type LaterRevision = { readonly bytes: number } & ({ readonly sha256: string } | UnsignedRevision);

/** A revision whose signature is still zeros. */
export interface UnsignedRevision {
  readonly bytes: number;
  readonly revision: Uint8Array;
  /** SHA-256 of the file without the place of the signature. */
  readonly digest: Uint8Array;
  /** The offset of the signature's hex digits in `revision`. */
  readonly contentsAt: number;
}

/** Digits of an offset in a file of up to ten gigabytes. */
const PLACE = 10;

/**
 * Appends the second revision to a sealed file without changing its bytes: the stored one, or a new one with an empty place
 * for the signature. `hash` is that of the file so far.
 */
export function appendRevision(path: string, hash: Hash, order: RevisionOrder): LaterRevision {
  const descriptor = openSync(path, 'r+');
  try {
    const { size: length } = fstatSync(descriptor);
    if ('stored' in order) {
      writeAll(descriptor, order.stored, length);
      return { bytes: length + order.stored.length, sha256: hash.update(order.stored).digest('hex') };
    }
    const { text, contentsAt } = signatureRevision(fileEnd(descriptor, length), length, order);
    const revision = Buffer.from(text, 'latin1');
    writeAll(descriptor, revision, length);
    const [from, to] = [contentsAt - 1, contentsAt + order.reserved * 2 + 1];
    const digest = hash.update(revision.subarray(0, from)).update(revision.subarray(to)).digest();
    return { bytes: length + revision.length, digest, revision, contentsAt };
  } finally {
    closeSync(descriptor);
  }
}

function writeAll(descriptor: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length;)
    done += writeSync(descriptor, bytes, done, bytes.length - done, at + done);
}

/** Returns the text of a revision that adds an invisible signature, and the offset of the signature's digits. */
function signatureRevision(
  end: FileEnd,
  length: number,
  { signedAt, reserved }: { signedAt: number; reserved: number },
): { text: string; contentsAt: number } {
  const [field, signature] = [end.size, end.size + 1];
  const { catalogue, firstPage } = end;
  const objects: FileObject[] = [
    withEntry(catalogue, `/AcroForm << /Fields [${field} 0 R] /SigFlags 3 >>`),
    withMark(firstPage, field),
    { num: field, body: fieldBody(firstPage.num, signature) },
    { num: signature, body: signatureBody(signedAt, reserved) },
  ];
  let text = '';
  const places = new Map<number, number>();
  for (const { num, body } of objects) {
    places.set(num, length + text.length);
    text += `${num} 0 obj\n${body}\nendobj\n`;
  }
  const contentsAt = text.lastIndexOf('/Contents <') + '/Contents <'.length;
  text += tableAndTrailer(end, places, length + text.length);
  const before = length + contentsAt - 1;
  const after = before + reserved * 2 + 2;
  const range = [before, after, length + text.length - after].map((place) => String(place).padEnd(PLACE));
  return { text: text.replace(RANGE_PLACEHOLDER, () => `/ByteRange [0 ${range.join(' ')}]`), contentsAt };
}

const RANGE_PLACEHOLDER = `/ByteRange [0 ${Array(3).fill(' '.repeat(PLACE)).join(' ')}]`;

/** The field has no size and is beside the page, so that it is not shown, printed or read. */
const fieldBody = (page: number, signature: number): string =>
  `<< /Type /Annot /Subtype /Widget /FT /Sig /T (ReportService) /TU (Signature of the service that made this report) /F 132 /Rect [-1 -1 -1 -1] /P ${page} 0 R /V ${signature} 0 R >>`;

const signatureBody = (signedAt: number, reserved: number): string =>
  `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached /M (D:${dateOf(signedAt)}) ${RANGE_PLACEHOLDER} /Contents <${'0'.repeat(reserved * 2)}> >>`;

/** `20261025103000Z`. */
const dateOf = (epochMs: number): string =>
  `${new Date(epochMs).toISOString().replace(/\D/g, '').slice(0, 14)}Z`;

function withEntry({ num, body }: FileObject, entry: string): FileObject {
  const end = body.lastIndexOf('>>');
  if (end < 0 || body.slice(end + 2).trim() !== '' || body.includes(entry.split(' ', 1)[0]!))
    throw new Error(`Object ${num} of the file is not written as expected.`);
  return { num, body: `${body.slice(0, end)}${entry}\n>>` };
}

/** Adds an annotation to a page. */
function withMark(page: FileObject, field: number): FileObject {
  const marks = /\/Annots \[([\d R\s]*)\]/.exec(page.body);
  if (!marks) return withEntry(page, `/Annots [${field} 0 R]`);
  const { index, 0: all, 1: refs } = marks;
  const body = `${page.body.slice(0, index)}/Annots [${refs} ${field} 0 R]${page.body.slice(index + all.length)}`;
  return { num: page.num, body };
}

function tableAndTrailer(end: FileEnd, places: ReadonlyMap<number, number>, xrefAt: number): string {
  const numbers = [...places.keys()].sort((left, right) => left - right);
  let table = 'xref\n';
  for (let at = 0, run = 0; at < numbers.length; at += run) {
    for (run = 1; numbers[at + run] === numbers[at]! + run;) run++;
    const entries = numbers.slice(at, at + run).map((num) => String(places.get(num)).padStart(PLACE, '0'));
    table += `${numbers[at]} ${run}\n${entries.map((place) => `${place} 00000 n \n`).join('')}`;
  }
  // The second part of the identifier names this revision by the offset at which it begins.
  const own = String(xrefAt).padStart(32, '0');
  const trailer = `/Size ${end.size + 2}\n${end.root}\n${end.info}\n/ID [${end.id} <${own}>]\n/Prev ${end.xrefAt}`;
  return `${table}trailer\n<<\n${trailer}\n>>\nstartxref\n${xrefAt}\n%%EOF\n`;
}
