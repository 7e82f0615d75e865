import { readSync } from 'node:fs';

/** An object of a finished file: its number, and the text between `obj` and `endobj`. */
export interface FileObject {
  readonly num: number;
  readonly body: string;
}

/** The parts of a finished file that a further revision refers to. */
export interface FileEnd {
  /** The offset of its table of objects. */
  readonly xrefAt: number;
  /** The first unused object number. */
  readonly size: number;
  /** `/Root …`, `/Info …`: the references of its trailer. */
  readonly root: string;
  readonly info: string;
  /** The first part of its `/ID`, in angle brackets. */
  readonly id: string;
  readonly catalogue: FileObject;
  readonly firstPage: FileObject;
}

const TAIL = 2048;
const ENTRY = 20;
const LARGEST_OBJECT = 1024 * 1024;

/**
 * Reads the end of a file that this service drew, which has one table of uncompressed objects. Throws if the file has any
 * other form.
 */
export function fileEnd(descriptor: number, length: number): FileEnd {
  const tail = textAt(descriptor, Math.max(0, length - TAIL), TAIL);
  const [, trailer, start] = found(/trailer\s*<<([^]*)>>\s*startxref\s+(\d+)\s+%%EOF\s*$/, tail, 'trailer');
  const xrefAt = Number(start);
  const head = found(/^xref\n0 (\d+)\n/, textAt(descriptor, xrefAt, 64), 'table of objects');
  const object = (num: number): FileObject => {
    const entry = textAt(descriptor, xrefAt + head[0].length + num * ENTRY, ENTRY);
    return objectAt(descriptor, num, Number(found(/^(\d{10}) 00000 n/, entry, `entry of object ${num}`)[1]));
  };
  const [root, rootNum] = found(/\/Root (\d+) 0 R/, trailer!, 'catalogue');
  const catalogue = object(Number(rootNum));
  const [, pagesNum] = found(/\/Pages (\d+) 0 R/, catalogue.body, 'list of pages');
  const [, pageNum] = found(/\/Kids \[\s*(\d+) 0 R/, object(Number(pagesNum)).body, 'first page');
  return {
    xrefAt,
    size: Number(found(/\/Size (\d+)/, trailer!, 'count of objects')[1]),
    root,
    info: found(/\/Info \d+ 0 R/, trailer!, 'description')[0],
    id: found(/\/ID \[\s*(<[0-9A-Fa-f]+>)/, trailer!, 'identifier')[1]!,
    catalogue,
    firstPage: object(Number(pageNum)),
  };
}

function objectAt(descriptor: number, num: number, at: number): FileObject {
  for (let length = 4096; length <= LARGEST_OBJECT; length *= 4) {
    const [, body] = /^(?:\d+) 0 obj\n([^]*?)\nendobj/.exec(textAt(descriptor, at, length)) ?? [];
    if (body !== undefined) return { num, body };
  }
  throw new Error(`Object ${num} of the file cannot be read.`);
}

function textAt(descriptor: number, at: number, length: number): string {
  const bytes = Buffer.alloc(length);
  return bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, length, at));
}

function found(form: RegExp, text: string, what: string): RegExpExecArray {
  const match = form.exec(text);
  if (!match) throw new Error(`The ${what} of the file is not written as expected.`);
  return match;
}
