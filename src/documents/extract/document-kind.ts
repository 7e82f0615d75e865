import { unextractable } from './extracted-text.js';
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

/** The kind by its name, else by its type; of a page by its type alone; undefined where neither is known. */
export function claimedKind(name: string, mime: string): DocumentKind | undefined {
  const ending = /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const type = mime.split(';')[0]!.trim().toLowerCase();
  // Nobody calls anything else so; and the address of a page may end in anything.
  if (BY_MIME[type] === 'html') return 'html';
  const byEnding = Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : undefined;
  return byEnding ?? (Object.hasOwn(BY_MIME, type) ? BY_MIME[type] : undefined);
}

const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
/** The stream of an Office document with a password, in the directory of its container. */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

/**
 * By the bytes, whatever its name says: `pdf`, `docx`, or undefined for what may be text. Throws `Unextractable` for
 * formats that are known and not read.
 */
export function binaryKind(bytes: Buffer): 'pdf' | 'docx' | undefined {
  if (bytes.subarray(0, 1024).includes('%PDF-')) return 'pdf';
  if (bytes.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'))) return zipKind(bytes);
  if (bytes.subarray(0, 8).equals(OLE)) {
    if (bytes.includes(ENCRYPTED)) throw encrypted();
    throw unreadKind('It is a file of an old Office. Save it as DOCX or PDF.');
  }
  if (bytes.subarray(0, 5).equals(Buffer.from('{\\rtf')))
    throw unreadKind('It is RTF. Save it as DOCX or PDF.');
  return undefined;
}

/** Of a text that is no binary format. */
export function writtenKind(text: string, claimed: DocumentKind | undefined): DocumentKind {
  if (claimed === 'csv' || claimed === 'markdown') return claimed;
  const start = text.slice(0, 1024).trimStart().toLowerCase();
  if (claimed === 'html' || /^(<!doctype html|<html[\s>])/.test(start)) return 'html';
  return 'text';
}

/** Whether a file of this kind may honestly be called that. */
export const isMisnamed = (kind: DocumentKind, claimed: DocumentKind | undefined): boolean =>
  claimed !== undefined && claimed !== kind && !(WRITTEN.has(kind) && WRITTEN.has(claimed));

function zipKind(bytes: Buffer): 'docx' {
  if (entriesOf(bytes).some(({ name }) => name === 'word/document.xml')) return 'docx';
  throw unreadKind('It is an archive, and no DOCX. Send the documents that are in it one by one.');
}

export const unreadKind = (which: string): Error =>
  unextractable('unsupported_type', `${which} Text, Markdown, HTML, PDF, DOCX and CSV are read.`);

export const encrypted = (): Error =>
  unextractable('document_encrypted', 'The document asks for a password. Send it without one.');
