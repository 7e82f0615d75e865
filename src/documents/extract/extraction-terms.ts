import type { Warning } from '../../common/warnings.js';

/** A document as received; `mime` and `name` are those of its sender. */
export interface SourceFile {
  readonly bytes: Uint8Array;
  readonly mime: string;
  readonly name: string;
}

/** The text of a document: lines end with `\n`, paragraphs with an empty line; tabs are its only other control characters. */
export interface ExtractedText {
  readonly text: string;
  readonly warnings: readonly Warning[];
}

/** Codes of documents that give no text. They never change. */
type ExtractionFaultCode =
  | 'unsupported_type'
  | 'document_too_large'
  | 'document_unreadable'
  | 'document_encrypted'
  | 'document_without_text';

export interface ExtractionFault {
  readonly code: ExtractionFaultCode;
  readonly message: string;
}

/** A fault of the document: another file may help, a retry does not. The message is a sentence for its sender. */
export class Unextractable extends Error {
  constructor(readonly fault: ExtractionFault) {
    super(fault.message);
    this.name = 'Unextractable';
  }
}

/** Reading the document exceeded its time limit. */
export class TookTooLong extends Unextractable {
  constructor() {
    const message = 'Reading the document takes too long. Send it in parts, or save it in another format.';
    super({ code: 'document_too_large', message });
  }
}

export const unextractable = (code: ExtractionFaultCode, message: string): Unextractable =>
  new Unextractable({ code, message });

/** The result that the process of an extraction returns. */
export type ExtractionEnd = { readonly document: ExtractedText } | { readonly fault: ExtractionFault };

export const MOST_DOCUMENT_BYTES = 50 * 1024 * 1024;
/** The most characters of a text: about 6,000 book pages. */
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
