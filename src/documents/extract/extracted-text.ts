import type { Warning } from '../../common/warnings.js';

/** A document as it came; `mime` and `name` are as its sender has them. */
export interface SourceFile {
  readonly bytes: Uint8Array;
  readonly mime: string;
  readonly name: string;
}

/** The text of a document: lines parted by `\n`, paragraphs by an empty line, no control characters but tabs. */
export interface ExtractedText {
  readonly text: string;
  readonly warnings: readonly Warning[];
}

/** Why a document has no text to give. Codes never change. */
export type ExtractionFaultCode =
  | 'unsupported_type'
  | 'document_too_large'
  | 'document_unreadable'
  | 'document_encrypted'
  | 'document_without_text';

export interface ExtractionFault {
  readonly code: ExtractionFaultCode;
  readonly message: string;
}

/** The document's own fault: no retry will help, another file may. The message is a sentence for its sender. */
export class Unextractable extends Error {
  constructor(readonly fault: ExtractionFault) {
    super(fault.message);
    this.name = 'Unextractable';
  }
}

/** Reading it took more time than it may. */
export class TookTooLong extends Unextractable {
  constructor() {
    const message = 'Reading the document takes too long. Send it in parts, or save it anew.';
    super({ code: 'document_too_large', message });
  }
}

export const unextractable = (code: ExtractionFaultCode, message: string): Unextractable =>
  new Unextractable({ code, message });

/** The end of one extraction, as the process tells it. */
export type ExtractionEnd = { readonly document: ExtractedText } | { readonly fault: ExtractionFault };

/** Bytes of a file. */
export const MOST_DOCUMENT_BYTES = 50 * 1024 * 1024;
/** Characters of a text: some 6,000 pages of a book. */
export const MOST_TEXT_LENGTH = 20_000_000;

export const fileTooLarge = (): Unextractable =>
  unextractable(
    'document_too_large',
    `The file is larger than ${MOST_DOCUMENT_BYTES / 1024 / 1024} MB. Send it in parts.`,
  );

export const textTooLong = (): Unextractable =>
  unextractable(
    'document_too_large',
    `The text of the document is longer than ${MOST_TEXT_LENGTH} characters. Send it in parts.`,
  );
