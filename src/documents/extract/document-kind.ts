import { unextractable } from './extraction-terms.js';
import { entriesOf } from './zip-entries.js';

export type DocumentKind = 'text' | 'markdown' | 'html' | 'csv' | 'pdf' | 'docx';

const BY_ENDING: Readonly<Record<string, DocumentKind>> = {
  ...{ txt: 'text', text: 'text', log: 'text', json: 'text', xml: 'text', yaml: 'text', yml: 'text' },
  ...{ md: 'markdown', markdown: 'markdown', html: 'html', htm: 'html', xhtml: 'html' },
  ...{ csv: 'csv', tsv: 'csv', pdf: 'pdf', docx: 'docx' },
};

const BY_MIME: Readonly<Record<string, DocumentKind>> = {
  ...{ 'text/plain': 'text', 'text/markdown': 'markdown', 'text/x-markdown': 'markdown' },
  ...{ 'text/html': 'html', 'application/xhtml+xml': 'html' },
  ...{ 'text/csv': 'csv', 'text/tab-separated-values': 'csv', 'application/pdf': 'pdf' },
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
};

/** Kinds whose bytes are characters: only the name and the type can tell one from another. */
const WRITTEN: ReadonlySet<DocumentKind> = new Set(['text', 'markdown', 'html', 'csv']);

/** Returns the kind that the name claims, else the media type; `text/html` wins over any name. */
export function claimedKind(name: string, mime: string): DocumentKind | undefined {
  const ending = /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const type = mime.split(';')[0]!.trim().toLowerCase();
  // Nothing else is sent as HTML, and the URL of a page may end in anything.
  if (BY_MIME[type] === 'html') return 'html';
  const byEnding = Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : undefined;
  return byEnding ?? (Object.hasOwn(BY_MIME, type) ? BY_MIME[type] : undefined);
}

const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
/** The stream of an Office document with a password, as its container's directory names it. */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

/**
 * Detects `pdf` and `docx` by the bytes; undefined for what may be text. Throws `Unextractable` for known formats that are
 * not supported.
 */
export function binaryKind(bytes: Buffer): 'pdf' | 'docx' | undefined {
  if (bytes.subarray(0, 1024).includes('%PDF-')) return 'pdf';
  if (bytes.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'))) return zipKind(bytes);
  if (bytes.subarray(0, 8).equals(OLE)) {
    if (bytes.includes(ENCRYPTED)) throw encrypted();
    throw unreadKind('It is a file of an old Office version. Save it as DOCX or PDF.');
  }
  if (bytes.subarray(0, 5).equals(Buffer.from('{\\rtf')))
    throw unreadKind('It is RTF. Save it as DOCX or PDF.');
  return undefined;
}

/** Returns the kind of a text that is in no binary format. */
export function writtenKind(text: string, claimed: DocumentKind | undefined): DocumentKind {
  if (claimed === 'csv' || claimed === 'markdown') return claimed;
  const start = text.slice(0, 1024).trimStart().toLowerCase();
  if (claimed === 'html' || /^(<!doctype html|<html[\s>])/.test(start)) return 'html';
  return 'text';
}

/** Returns true if the claimed kind is wrong. Text formats count as one kind. */
export const isMisnamed = (kind: DocumentKind, claimed: DocumentKind | undefined): boolean =>
  claimed !== undefined && claimed !== kind && !(WRITTEN.has(kind) && WRITTEN.has(claimed));

function zipKind(bytes: Buffer): 'docx' {
  if (entriesOf(bytes).some(({ name }) => name === 'word/document.xml')) return 'docx';
  throw unreadKind('It is an archive. Send the documents in it one by one.');
}

export const unreadKind = (which: string): Error =>
  unextractable('unsupported_type', `${which} Supported are text, Markdown, HTML, PDF, DOCX and CSV.`);

export const encrypted = (): Error =>
  unextractable('document_encrypted', 'The document needs a password. Send it without one.');
