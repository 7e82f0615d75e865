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
} from './extraction-terms.js';
import { pdfText } from './pdf-text.js';
import { entriesOf } from './zip-entries.js';

interface RawText {
  readonly kind: DocumentKind;
  readonly text: string;
  readonly warnings: readonly Warning[];
}

/**
 * Reads the text of one document. Runs in a process of its own, because a hostile file can take much time and memory. Never
 * throws: an error of a reader is a fault of the document.
 */
export async function readDocument(file: SourceFile): Promise<ExtractionEnd> {
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

/** Removes control characters and lone surrogates, which a database does not store. */
const tidied = (text: string): string =>
  text
    .replace(/\r\n?|\f/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f\ufeff]/g, '')
    .replace(/\n{3,}/g, '\n\n')
    .toWellFormed()
    .trim();

function misnamed(kind: DocumentKind, claimed: DocumentKind | undefined): Warning[] {
  if (claimed === undefined || !isMisnamed(kind, claimed)) return [];
  const message = `The file is named as ${NAMES[claimed]} but is ${NAMES[kind]}. It was read as ${NAMES[kind]}.`;
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
    ? 'The document is nested too deeply to be read. Save it in a simpler form.'
    : 'The document is damaged or incomplete. Send it again, or save it again first.';
  return { code: 'document_unreadable', message };
}

/** Inflated bytes of all parts except pictures. Their tree takes about ten times as much memory. */
const MOST_INFLATED = 32 * 1024 * 1024;

/** The paragraphs of table cells, each of which would otherwise be a line of its own. */
const CELL_PARAGRAPHS = /(?<=<t[dh]>)<p>|<\/p>(?=<\/t[dh]>)/g;

/**
 * Returns the paragraphs, lists and tables (one line a row) of a Word document. If the archive declares parts that are too
 * large, throws `Unextractable` before anything is inflated; the limits of the process catch one that lies.
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
