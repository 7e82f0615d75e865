import { isUtf8 } from 'node:buffer';

/** The type that a sender gives a file of unknown type. */
export const UNKNOWN_TYPE = 'application/octet-stream';

const textTypes: ReadonlySet<string> = new Set([
  'application/json',
  'application/xml',
  'application/yaml',
  'application/x-yaml',
  'application/x-ndjson',
]);

export const isTextType = (mime: string): boolean => mime.startsWith('text/') || textTypes.has(mime);

/** Returns whether a file is text by its type, or by its bytes when the type is unknown. */
export const isTextFile = (mime: string, bytes: Uint8Array): boolean =>
  isTextType(mime) || (mime === UNKNOWN_TYPE && !bytes.includes(0) && isUtf8(bytes));
