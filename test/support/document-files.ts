import { createRequire } from 'node:module';
import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib';

/** One file of an archive; `declared` is a false size for its directory entry. */
export interface ZipPart {
  name: string;
  bytes: Buffer;
  /** Raw deflated data, whatever it inflates to. */
  deflated?: Buffer;
  declared?: number;
}

/** Returns a ZIP archive of these parts, deflated. */
export function zipOf(parts: readonly ZipPart[]): Buffer {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes, deflated = deflateRawSync(bytes), declared = bytes.length } of parts) {
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(8, 4);
    head.writeUInt32LE(crc32(bytes), 10);
    head.writeUInt32LE(deflated.length, 14);
    head.writeUInt32LE(declared, 18);
    head.writeUInt16LE(name.length, 22);
    local.push(Buffer.from('PK\x03\x04'), head, Buffer.from(name), deflated);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), head, place, Buffer.from(name));
    offset += 30 + name.length + deflated.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...local, ...directory, Buffer.from('PK\x05\x06', 'latin1'), end]);
}

const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const docxParts = (body: string): ZipPart[] =>
  [
    {
      name: '[Content_Types].xml',
      text: `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    },
    {
      name: '_rels/.rels',
      text: `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
    },
    {
      name: 'word/document.xml',
      text: `<w:document xmlns:w="${W}"><w:body>${body}</w:body></w:document>`,
    },
  ].map(({ name, text }) => ({ name, bytes: Buffer.from(text) }));

/** Returns a Word document with this body, in WordprocessingML. */
export const docxOf = (body: string): Buffer => zipOf(docxParts(body));

/** Returns a Word document with one part replaced. */
export const docxWith = (part: ZipPart): Buffer => {
  const others = docxParts('').filter(({ name }) => name !== part.name);
  return zipOf([...others, part]);
};

export const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

/** Returns this many megabytes of one letter, deflated to some kilobytes without inflating them in memory. */
export function megabytesOf(letter: string, megabytes: number, raw = true): Buffer {
  const one = Buffer.alloc(1024 * 1024, letter);
  const piece = deflateRawSync(one, { finishFlush: constants.Z_SYNC_FLUSH });
  const last = Buffer.from([3, 0]);
  const head = raw ? [] : [deflateSync(Buffer.alloc(0)).subarray(0, 2)];
  return Buffer.concat([...head, ...Array.from({ length: megabytes }, () => piece), last]);
}

/** The part of pdfkit's API that is used here; it has no types. */
export interface WrittenPdf extends NodeJS.ReadableStream {
  text(text: string): WrittenPdf;
  rect(x: number, y: number, width: number, height: number): WrittenPdf;
  fill(): WrittenPdf;
  addPage(): WrittenPdf;
  end(): void;
}

const PDFDocument = createRequire(__filename)('pdfkit') as new (options: object) => WrittenPdf;

/** Returns a PDF written by pdfkit. */
export async function pdfOf(
  write: (pdf: WrittenPdf) => void,
  options: { userPassword?: string } = {},
): Promise<Buffer> {
  const pdf = new PDFDocument(options);
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve) => pdf.on('end', () => resolve()));
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  write(pdf);
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}

/**
 * Returns a PDF of these objects, the first of which is its catalogue. A stream comes with the members of its
 * dictionary.
 */
export function pdfObjects(objects: readonly (string | { members: string; stream: Buffer })[]): Buffer {
  const pieces: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const places: number[] = [];
  let length = pieces[0]!.length;
  const write = (piece: Buffer) => {
    pieces.push(piece);
    length += piece.length;
  };
  for (const [index, object] of objects.entries()) {
    places.push(length);
    write(Buffer.from(`${index + 1} 0 obj\n`));
    if (typeof object === 'string') write(Buffer.from(object));
    else {
      write(Buffer.from(`<< ${object.members} /Length ${object.stream.length} >>\nstream\n`));
      write(object.stream);
      write(Buffer.from('\nendstream'));
    }
    write(Buffer.from('\nendobj\n'));
  }
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  const trailer = `trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`;
  write(Buffer.from(`xref\n0 ${count}\n0000000000 65535 f \n${table}${trailer}`));
  return Buffer.concat(pieces);
}

const form = (next: number) => ({
  members: `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /F ${next} 0 R >> >>`,
  stream: Buffer.from('/F Do '.repeat(200)),
});

/** A small PDF whose one page draws 200 forms, each of which draws 200 more, seven levels deep. */
export const slowPdf = (): Buffer =>
  pdfObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /XObject << /F 5 0 R >> >> >>',
    { members: '', stream: Buffer.from('/F Do '.repeat(200)) },
    ...[6, 7, 8, 9, 10].map(form),
    {
      members:
        '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /H << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>',
      stream: Buffer.from('BT /H 9 Tf (a) Tj ET'),
    },
  ]);
