import { isUtf8 } from 'node:buffer';
import { markedCharset, textIn } from './text-encoding.js';

/** Bytes of a text in which it may name its charset. */
const HEAD = 1024;

/**
 * Returns the text of another service's answer: as UTF-8 if it is valid, else by its byte order mark, by the charset of its
 * content type, or by the one that the text names.
 */
export function receivedText(bytes: Buffer, contentType = ''): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const named = markedCharset(bytes) ?? namedCharset(contentType) ?? charsetInHead(bytes) ?? 'utf-8';
  return textIn(bytes, named);
}

/** Returns the charset that a text which is not UTF-8 names at its head. */
export const charsetInHead = (bytes: Buffer): string | undefined =>
  namedCharset(bytes.toString('latin1', 0, HEAD));

/** Returns the charset that a content type or the head of a text names, of a text that is not UTF-8. */
export function namedCharset(text: string): string | undefined {
  const named = /(?:charset|encoding)\s{0,5}=\s{0,5}["']?([a-z0-9._:-]{2,40})/i.exec(text)?.[1];
  if (named === undefined) return undefined;
  try {
    const { encoding } = new TextDecoder(named);
    // The bytes are not UTF-8, and in UTF-16 this name could not have been read.
    return encoding.startsWith('utf-') ? undefined : encoding;
  } catch {
    return undefined;
  }
}
