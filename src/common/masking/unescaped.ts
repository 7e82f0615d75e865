/** Bytes of a text with their positions in it: byte `n` is from `starts[n]` to before `ends[n]`. */
export interface View {
  bytes: Uint8Array;
  starts: Uint32Array;
  ends: Uint32Array;
}

const NAMED: Readonly<Record<string, number>> = {
  amp: 0x26,
  lt: 0x3c,
  gt: 0x3e,
  quot: 0x22,
  apos: 0x27,
  sol: 0x2f,
  equals: 0x3d,
  plus: 0x2b,
  nbsp: 0xa0,
};

/** The longest entity, with its `&` and `;`. */
const LONGEST_ENTITY = 12;

/** An escape: its length and the bytes that it stands for (none for a line end). */
interface Escape {
  length: number;
  bytes: readonly number[];
}

/**
 * Undoes every escape of a UTF-8 text in one pass: `%41`, `\u0041`, `\x41`, `\/`, `&#65;`, `&#x41;`, `&amp;`. Leaves out
 * line ends, because encoders break long lines.
 */
export function unescaped(text: Uint8Array): View {
  const bytes = new Uint8Array(text.length);
  const starts = new Uint32Array(text.length);
  const ends = new Uint32Array(text.length);
  let count = 0;
  for (let at = 0; at < text.length;) {
    const byte = text[at]!;
    const escape = mayEscape(byte) ? escapeAt(text, at, byte) : undefined;
    if (!escape) {
      bytes[count] = byte;
      starts[count] = at++;
      ends[count++] = at;
      continue;
    }
    for (const one of escape.bytes) {
      bytes[count] = one;
      starts[count] = at;
      ends[count++] = at + escape.length;
    }
    at += escape.length;
  }
  return { bytes: bytes.subarray(0, count), starts, ends };
}

/** Returns whether a byte may begin an escape or a line end. */
export const mayEscape = (byte: number): boolean =>
  byte === 0x25 || byte === 0x5c || byte === 0x26 || byte === 0x0a || byte === 0x0d;

const LINE_END: Escape = { length: 1, bytes: [] };

function escapeAt(text: Uint8Array, at: number, byte: number): Escape | undefined {
  if (byte === 0x25) {
    const value = hexAt(text, at + 1, 2);
    return value === undefined ? undefined : { length: 3, bytes: [value] };
  }
  if (byte === 0x5c) return backslashAt(text, at);
  if (byte === 0x26) return entityAt(text, at);
  return LINE_END;
}

function backslashAt(text: Uint8Array, at: number): Escape | undefined {
  switch (text[at + 1]) {
    case 0x75: // u
      return unicodeAt(text, at);
    case 0x78: {
      const value = hexAt(text, at + 2, 2); // x
      return value === undefined ? undefined : { length: 4, bytes: utf8(value) };
    }
    case 0x6e: // n
    case 0x72: // r
      return { length: 2, bytes: [] };
    case 0x74: // t
      return { length: 2, bytes: [0x09] };
    case 0x22:
    case 0x27:
    case 0x2f:
    case 0x5c:
      return { length: 2, bytes: [text[at + 1]!] };
    default:
      return undefined;
  }
}

function unicodeAt(text: Uint8Array, at: number): Escape | undefined {
  const unit = hexAt(text, at + 2, 4);
  if (unit === undefined) return undefined;
  const isHigh = unit >= 0xd800 && unit < 0xdc00 && text[at + 6] === 0x5c && text[at + 7] === 0x75;
  const low = isHigh ? hexAt(text, at + 8, 4) : undefined;
  if (low !== undefined && low >= 0xdc00 && low < 0xe000)
    return { length: 12, bytes: utf8(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)) };
  return { length: 6, bytes: utf8(unit) };
}

function entityAt(text: Uint8Array, at: number): Escape | undefined {
  let end = at + 1;
  while (end < at + LONGEST_ENTITY && text[end] !== 0x3b) end++;
  if (text[end] !== 0x3b) return undefined;
  const name = String.fromCharCode(...text.subarray(at + 1, end)).toLowerCase();
  const value = name.startsWith('#') ? numberOf(name.slice(1)) : NAMED[name];
  return value === undefined ? undefined : { length: end + 1 - at, bytes: utf8(value) };
}

function numberOf(digits: string): number | undefined {
  const isHex = digits.startsWith('x');
  if (!(isHex ? /^x[0-9a-f]+$/ : /^\d+$/).test(digits)) return undefined;
  const value = isHex ? parseInt(digits.slice(1), 16) : parseInt(digits, 10);
  return value <= 0x10ffff ? value : undefined;
}

function hexAt(text: Uint8Array, from: number, digits: number): number | undefined {
  let value = 0;
  for (let at = from; at < from + digits; at++) {
    const digit = hexDigit(text[at] ?? 0);
    if (digit < 0) return undefined;
    value = value * 16 + digit;
  }
  return value;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

const utf8 = (codePoint: number): readonly number[] =>
  codePoint < 0x80 ? [codePoint] : [...Buffer.from(String.fromCodePoint(codePoint), 'utf8')];
