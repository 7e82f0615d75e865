/** The decoded content of a text in base64. */
interface Base64Data {
  bytes: Buffer;
  /** The media type of a data URI, else empty. */
  mime: string;
}

/** A text that could not be read; `why` follows a name, as in "data is empty". */
interface Base64Fault {
  fault: 'broken' | 'too_large';
  why: string;
}

/** Characters in which the head of a data URI must end. */
const LONGEST_HEAD = 512;

/** Returns whether the text is a data URI, broken or not. */
export const isDataUri = (text: string): boolean => text.trimStart().slice(0, 5).toLowerCase() === 'data:';

/** Returns the media type of a data URI in base64, whatever follows; undefined for any other text. */
export const mediaTypeOf = (text: string): string | undefined =>
  isDataUri(text) ? headOf(text.trimStart())?.mime : undefined;

/**
 * Reads base64 from outside: plain or URL-safe alphabet, with or without padding, with blanks and line breaks anywhere,
 * alone or in a data URI with parameters and percent-encoding. Refuses a text that is not entirely base64, and one of more
 * than `mostBytes` before it is decoded. Takes linear time.
 */
export function readBase64(text: string, mostBytes = Infinity): Base64Data | Base64Fault {
  const uri = isDataUri(text) ? text.trimStart() : undefined;
  const head = uri === undefined ? { mime: '', comma: -1 } : headOf(uri);
  if (!head) return broken('is a data URI without base64');
  const packed = packedOf(uri ?? text, head.comma + 1, uri !== undefined);
  const digits = digitsOf(packed);
  const length = Math.floor((digits * 3) / 4);
  if (length === 0) return broken(digits === 0 ? 'is empty' : 'is not base64');
  if (length > mostBytes) return { fault: 'too_large', why: `is larger than ${mostBytes} bytes` };
  if (digits % 4 === 1) return broken('is not base64');
  // Node skips unknown characters, which shows in the length, and stops at an early "=".
  const bytes = Buffer.from(packed, 'base64');
  return bytes.length === length && !packed.slice(0, digits).includes('=')
    ? { bytes, mime: head.mime }
    : broken('is not base64');
}

const broken = (why: string): Base64Fault => ({ fault: 'broken', why });

/** Returns the number of characters before the padding. */
function digitsOf(packed: string): number {
  let digits = packed.length;
  while (digits > 0 && packed.length - digits < 2 && packed[digits - 1] === '=') digits -= 1;
  return digits;
}

/** Returns the media type, which may be empty, and the end of the head; undefined when the URI is not in base64. */
function headOf(uri: string): { mime: string; comma: number } | undefined {
  const comma = uri.slice(0, LONGEST_HEAD).indexOf(',');
  const [mime = '', ...parameters] = uri.slice('data:'.length, Math.max(comma, 0)).split(';');
  if (parameters.at(-1)?.trim().toLowerCase() !== 'base64') return undefined;
  return { mime: mime.trim().toLowerCase(), comma };
}

const PERCENT = 0x25;
const isBlank = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

/** Removes blanks, and percent-encoding in a data URI, byte by byte in linear time. */
function packedOf(text: string, from: number, isUri: boolean): string {
  const payload = text.slice(from);
  if (!/[\s%]/.test(payload)) return payload;
  // Latin-1 would cut other characters to their lower byte.
  if (/[^\x00-\x7f]/.test(payload)) return '*';
  const bytes = Buffer.from(payload, 'latin1');
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    let byte = bytes[at]!;
    if (isUri && byte === PERCENT) {
      byte = (hexOf(bytes[at + 1]) << 4) | hexOf(bytes[at + 2]);
      if (byte < 0) return '*';
      at += 2;
    }
    if (!isBlank(byte)) bytes[length++] = byte;
  }
  return bytes.toString('latin1', 0, length);
}

/** Returns the value of a hexadecimal digit; -1 for anything else. */
function hexOf(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
