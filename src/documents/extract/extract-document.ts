import type { Warning } from '../../common/warnings.js';
import { readableText } from '../../flows/tools/readable-text.js';
import { csvText } from './csv-text.js';
import { decodeText } from './decode-text.js';
import { binaryKind, claimedKind, type DocumentKind, isMisnamed, writtenKind } from './document-kind.js';
import {
  type ExtractionFault,
  type SourceFile,
  type ExtractedText,
  type ExtractionEnd,
  unextractable,
  Unextractable,
  MOST_TEXT_LENGTH,
  textTooLong,
} from './extracted-text.js';
import { pdfText } from './pdf-text.js';
import { entriesOf } from './zip-entries.js';

interface RawText {
  readonly kind: DocumentKind;
  readonly text: string;
  readonly warnings: readonly Warning[];
}

/**
 * The text of one document. Runs in a process of its own, and is neither fast nor frugal with a hostile file. Never
 * throws: whatever a reader throws is the document's fault.
 */
export async function extractDocument(file: SourceFile): Promise<ExtractionEnd> {
  try {
    return { document: await textOf(file) };
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

async function textOf({ bytes, mime, name }: SourceFile): Promise<ExtractedText> {
  const claimed = claimedKind(name, mime);
  const raw = await rawText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), mime, claimed);
  const text = tidied(raw.text);
  if (text === '')
    throw unextractable('document_without_text', 'The document has no text. Send one that has.');
  if (text.length > MOST_TEXT_LENGTH) throw textTooLong();
  return { text, warnings: [...misnamed(raw.kind, claimed), ...raw.warnings] };
}

async function rawText(bytes: Buffer, mime: string, claimed: DocumentKind | undefined): Promise<RawText> {
  const binary = binaryKind(bytes);
  if (binary === 'docx') return { kind: binary, text: await docxText(bytes), warnings: [] };
  if (binary === 'pdf') return { kind: binary, ...(await pdfText(new Uint8Array(bytes))) };
  const { text, warnings } = decodeText(bytes, mime);
  const kind = writtenKind(text, claimed);
  if (kind === 'html') return { kind, text: readableText(text), warnings };
  if (kind !== 'csv') return { kind, text, warnings };
  const table = csvText(text);
  return { kind, text: table.text, warnings: [...warnings, ...table.warnings] };
}

/** Control characters are no text, and a database takes neither NUL nor half a character. */
const tidied = (text: string): string =>
  text
    .replace(/\r\n?|\f/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f\ufeff]/g, '')
    .replace(/\n{3,}/g, '\n\n')
    .toWellFormed()
    .trim();

function misnamed(kind: DocumentKind, claimed: DocumentKind | undefined): Warning[] {
  if (claimed === undefined || !isMisnamed(kind, claimed)) return [];
  const message = `The file is called ${NAMES[claimed]} and is ${NAMES[kind]}: it was read as what it is.`;
  return [{ code: 'type_mismatch', message }];
}

const NAMES: Readonly<Record<DocumentKind, string>> = {
  text: 'text',
  markdown: 'Markdown',
  html: 'HTML',
  csv: 'CSV',
  pdf: 'PDF',
  docx: 'DOCX',
};

function faultOf(error: unknown): ExtractionFault {
  if (error instanceof Unextractable) return error.fault;
  const deep = error instanceof RangeError && error.message.includes('call stack');
  const message = deep
    ? 'The document nests too deep to be read. Save it anew in a simpler form.'
    : 'The document is damaged or was cut off. Send it again, or save it anew.';
  return { code: 'document_unreadable', message };
}

/** Bytes of all its parts but pictures, inflated. Their tree takes some ten times as much memory. */
const MOST_INFLATED = 32 * 1024 * 1024;

/** A cell is written as a paragraph, which would stand on a line of its own. */
const CELL_PARAGRAPHS = /(?<=<t[dh]>)<p>|<\/p>(?=<\/t[dh]>)/g;

/**
 * The paragraphs, lists and tables (a row a line) of a Word document. Throws `Unextractable` before anything is
 * inflated where the archive says that its parts are too large; one that lies meets the limits of the process.
 */
async function docxText(bytes: Buffer): Promise<string> {
  let inflated = 0;
  for (const { name, size } of entriesOf(bytes)) if (/\.(xml|rels)$/i.test(name)) inflated += size;
  if (inflated > MOST_INFLATED)
    throw unextractable(
      'document_too_large',
      `The parts of the document are larger than ${MOST_INFLATED / 1024 / 1024} MB once unpacked. Send it in parts.`,
    );
  const { default: mammoth } = await import('mammoth');
  const convertImage = mammoth.images.imgElement(() => Promise.resolve({ src: '' }));
  const { value } = await mammoth.convertToHtml({ buffer: bytes }, { convertImage });
  return readableText(value.replace(CELL_PARAGRAPHS, ''));
}
