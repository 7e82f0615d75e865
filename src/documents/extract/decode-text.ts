import { isUtf8 } from 'node:buffer';
import type { Warning } from '../../common/warnings.js';
import { unreadKind } from './document-kind.js';

/** A text file, from bytes to characters; a warning where its charset had to be guessed. */
export interface DecodedText {
  readonly text: string;
  readonly warnings: readonly Warning[];
}

const MARKS: readonly (readonly [string, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** So much of a text is looked at to find out what it is. */
const SAMPLE = 64 * 1024;
/** The likeliest charset of files from Windows in the west of Europe. */
const LEGACY = 'windows-1252';

/**
 * By its byte order mark, else as UTF-8 where it is that, else in the charset that it names, else in Windows-1252.
 * Throws `Unextractable` (`unsupported_type`) for bytes that are no text.
 */
export function decodeText(bytes: Buffer, mime: string): DecodedText {
  const marked = MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0];
  if (marked) return decodedAs(bytes, marked);
  const wide = wideOf(bytes);
  if (wide) return decodedAs(bytes, wide);
  if (isUtf8(bytes)) return decodedAs(bytes, 'utf-8');
  const named = charsetOf(mime) ?? charsetOf(bytes.toString('latin1', 0, 1024));
  if (named) return decodedAs(bytes, named);
  const message = 'The text names no charset and is not UTF-8: it was read as Windows-1252.';
  return { ...decodedAs(bytes, LEGACY), warnings: [{ code: 'charset_guessed', message }] };
}

/** UTF-16 without a mark: of Latin letters every second byte is zero. */
function wideOf(bytes: Buffer): string | undefined {
  const sample = bytes.subarray(0, SAMPLE & ~1);
  const zeros = [0, 0];
  for (let index = 0; index < sample.length; index++) if (sample[index] === 0) zeros[index % 2]! += 1;
  const [even, odd] = zeros as [number, number];
  if (odd > sample.length / 8 && even === 0) return 'utf-16le';
  return even > sample.length / 8 && odd === 0 ? 'utf-16be' : undefined;
}

function charsetOf(text: string): string | undefined {
  const named = /(?:charset|encoding)\s{0,5}=\s{0,5}["']?([a-z0-9._:-]{2,40})/i.exec(text)?.[1];
  if (named === undefined) return undefined;
  try {
    const { encoding } = new TextDecoder(named);
    // UTF-8 it is not, and UTF-16 could not be read as far as here.
    return encoding.startsWith('utf-') ? undefined : encoding;
  } catch {
    return undefined;
  }
}

function decodedAs(bytes: Buffer, charset: string): DecodedText {
  const text = new TextDecoder(charset).decode(bytes);
  if (!isWritten(text)) throw unreadKind('It is no text.');
  return { text, warnings: [] };
}

/** Characters that nobody types are rare in a text, and NUL is in none. */
function isWritten(text: string): boolean {
  const sample = text.slice(0, SAMPLE);
  if (sample.includes('\0')) return false;
  const strange = sample.match(/[\u0001-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/g)?.length ?? 0;
  return strange <= sample.length / 50;
}
