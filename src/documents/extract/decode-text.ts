import { isUtf8 } from 'node:buffer';
import { charsetInHead, namedCharset } from '../../common/texts/received-text.js';
import { markedCharset, textIn } from '../../common/texts/text-encoding.js';
import type { Warning } from '../../common/warnings.js';
import { unreadKind } from './document-kind.js';

/** A decoded text file, with a warning if its charset was guessed. */
interface DecodedText {
  readonly text: string;
  readonly warnings: readonly Warning[];
}

/** Bytes from which the form of a text is detected. */
const SAMPLE = 64 * 1024;
/** The likeliest charset of Windows files from Western Europe. */
const LEGACY = 'windows-1252';

/**
 * Decodes by the byte order mark, else as UTF-8 if it is valid, else by the charset that the text names, else as
 * Windows-1252. Throws `Unextractable` (`unsupported_type`) for bytes that are not text.
 */
export function decodeText(bytes: Buffer, mime: string): DecodedText {
  const marked = markedCharset(bytes);
  if (marked) return decodedAs(bytes, marked);
  const wide = wideOf(bytes);
  if (wide) return decodedAs(bytes, wide);
  if (isUtf8(bytes)) return decodedAs(bytes, 'utf-8');
  const named = namedCharset(mime) ?? charsetInHead(bytes);
  if (named) return decodedAs(bytes, named);
  const message = 'The text names no charset and is not UTF-8. It was read as Windows-1252.';
  return { ...decodedAs(bytes, LEGACY), warnings: [{ code: 'charset_guessed', message }] };
}

/** Detects UTF-16 without a mark: in Latin text every second byte is zero. */
function wideOf(bytes: Buffer): string | undefined {
  const sample = bytes.subarray(0, SAMPLE & ~1);
  const zeros = [0, 0];
  for (let index = 0; index < sample.length; index++) if (sample[index] === 0) zeros[index % 2]! += 1;
  const [even, odd] = zeros as [number, number];
  if (odd > sample.length / 8 && even === 0) return 'utf-16le';
  return even > sample.length / 8 && odd === 0 ? 'utf-16be' : undefined;
}

function decodedAs(bytes: Buffer, charset: string): DecodedText {
  const text = textIn(bytes, charset);
  if (!isWritten(text)) throw unreadKind('It is not text.');
  return { text, warnings: [] };
}

/** Returns false for NUL or for more than a few characters that nobody types. */
function isWritten(text: string): boolean {
  const sample = text.slice(0, SAMPLE);
  if (sample.includes('\0')) return false;
  const strange = sample.match(/[\u0001-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/g)?.length ?? 0;
  return strange <= sample.length / 50;
}
