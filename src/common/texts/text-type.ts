import { isUtf8 } from 'node:buffer';

/** The type of a file whose sender does not know it. */
export const UNKNOWN_TYPE = 'application/octet-stream';

const textTypes: ReadonlySet<string> = new Set([
  'application/json',
  'application/xml',
  'application/yaml',
  'application/x-yaml',
  'application/x-ndjson',
]);

export const isTextType = (mime: string): boolean => mime.startsWith('text/') || textTypes.has(mime);

/** Whether a file is read as text: by its type, and by its bytes where its sender does not know the type. */
export const isTextFile = (mime: string, bytes: Uint8Array): boolean =>
  isTextType(mime) || (mime === UNKNOWN_TYPE && !bytes.includes(0) && isUtf8(bytes));
