import { isAscii, isUtf8 } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import { type EncodingFault, ServiceError } from '../service-error.js';
import type { Charset } from './charset.js';

/** 400: the bytes of a body or of a form field are not text in their charset. */
export class InvalidEncoding extends ServiceError {
  constructor(offset: number, charset: Charset, field?: string) {
    const fault: EncodingFault = {
      ...(field === undefined ? {} : { path: field }),
      message: `is not ${charset} at byte ${offset}`,
      offset,
    };
    super(
      'invalid_encoding',
      'The text is not in its declared charset. Send UTF-8, or name its charset in Content-Type.',
      { errors: [fault] },
    );
  }
}

/** Converts a text to UTF-8 while it arrives; `end` returns bytes that were held back. */
export interface Transcoder {
  next(chunk: Uint8Array): Uint8Array;
  end(): Uint8Array;
}

/** Throws for invalid bytes at `offset`. */
type Fail = (offset: number) => never;

const NOTHING = new Uint8Array(0);

/** Returns a transcoder from this charset; undefined for UTF-8. */
export function transcoderOf(charset: Charset, fail: Fail): Transcoder | undefined {
  switch (charset) {
    case 'utf-8':
      return undefined;
    case 'us-ascii':
      return asciiCheck(fail);
    case 'iso-8859-1':
    case 'windows-1252':
      return { next: fromWindows1252, end: () => NOTHING };
    case 'utf-16le':
    case 'utf-16be':
      return new Utf16(charset === 'utf-16be', fail);
  }
}

function asciiCheck(fail: Fail): Transcoder {
  let before = 0;
  const next = (chunk: Uint8Array) => {
    if (!isAscii(chunk)) fail(before + chunk.findIndex((byte) => byte > 0x7f));
    before += chunk.length;
    return chunk;
  };
  return { next, end: () => NOTHING };
}

/** 0x80 to 0x9F, where Windows-1252 differs from ISO 8859-1. Five are undefined and stay control characters. */
const UPPER = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

const UNITS = Uint16Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x80 && byte < 0xa0 ? UPPER.charCodeAt(byte - 0x80) : byte,
);

function fromWindows1252(chunk: Uint8Array): Uint8Array {
  if (isAscii(chunk)) return chunk;
  const units = new Uint16Array(chunk.length);
  for (let at = 0; at < chunk.length; at++) units[at] = UNITS[chunk[at]!]!;
  return Buffer.from(Buffer.from(units.buffer).toString('utf16le'));
}

const MARKS: readonly (readonly [Charset, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Returns the charset that the byte order mark of a text names; undefined without one. */
export const markedCharset = (bytes: Uint8Array): Charset | undefined =>
  MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0];

/**
 * Returns the charset of a text file: that of its byte order mark, else the declared one, else UTF-8 if its bytes are
 * valid, else Windows-1252. Many senders declare UTF-8 unread, so its bytes must be valid then too.
 */
export function charsetOfFile(bytes: Uint8Array, declared?: Charset): Charset {
  const named = markedCharset(bytes) ?? declared ?? 'utf-8';
  return named === 'utf-8' && !isUtf8(bytes) ? 'windows-1252' : named;
}

/** Returns the text of a file in its charset, without its byte order mark. */
export function textOfFile(bytes: Uint8Array, declared?: Charset): string {
  const charset = charsetOfFile(bytes, declared);
  return textIn(bytes, charset.startsWith('utf-') ? charset : 'windows-1252');
}

/** Returns a text file in UTF-8. Its bytes are unchanged unless it declares another charset. */
export const utf8OfFile = (bytes: Buffer, declared?: Charset): Buffer =>
  declared === undefined || declared === 'utf-8' ? bytes : Buffer.from(textOfFile(bytes, declared));

/**
 * Returns bytes as text in an encoding of `TextDecoder`, by its canonical name. Node's own decoder reads Windows-1252 as
 * ISO 8859-1, which has control characters for €, dashes and curly quotes.
 */
export const textIn = (bytes: Uint8Array, encoding: string): string =>
  encoding === 'windows-1252'
    ? Buffer.from(fromWindows1252(bytes)).toString('utf8')
    : new TextDecoder(encoding).decode(bytes);

/** Returns a header's value, which Node reads as Latin-1, with Windows-1252 converted to UTF-8 unless it is UTF-8. */
export function utf8OfHeader(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? value : Buffer.from(fromWindows1252(bytes)).toString('latin1');
}

/** Converts UTF-16; a lone surrogate becomes U+FFFD. */
class Utf16 implements Transcoder {
  private readonly decoder = new StringDecoder('utf16le');
  private half: Uint8Array = NOTHING;
  private before = 0;

  constructor(
    private readonly isBigEndian: boolean,
    private readonly fail: Fail,
  ) {}

  next(chunk: Uint8Array): Uint8Array {
    const bytes = Buffer.concat([this.half, chunk]);
    const even = bytes.length - (bytes.length % 2);
    this.half = bytes.subarray(even);
    this.before += even;
    const units = bytes.subarray(0, even);
    if (this.isBigEndian) units.swap16();
    return Buffer.from(this.decoder.write(units));
  }

  end(): Uint8Array {
    if (this.half.length > 0) this.fail(this.before);
    return Buffer.from(this.decoder.end());
  }
}

/** Returns the length of the UTF-8 sequence that a byte begins; 1 when it begins none. */
const sequenceLength = (byte: number): number =>
  byte >= 0xf0 && byte <= 0xf4 ? 4 : byte >= 0xe0 && byte < 0xf0 ? 3 : byte >= 0xc2 && byte < 0xe0 ? 2 : 1;

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

/** Returns the end of the complete sequences in `[start, end)`, before a last one of which bytes are missing. */
export function wholeUntil(bytes: Uint8Array, start: number, end: number): number {
  for (let at = end - 1; at >= Math.max(start, end - 3); at--)
    if (!isContinuation(bytes[at]!)) return at + sequenceLength(bytes[at]!) > end ? at : end;
  return end;
}

/** Returns the position of the first invalid sequence in `[start, end)`. There must be one. */
export function firstFault(bytes: Uint8Array, start: number, end: number): number {
  let [valid, broken] = [start, end];
  while (broken - valid > 1) {
    const middle = (valid + broken) >> 1;
    if (isUtf8(bytes.subarray(start, wholeUntil(bytes, start, middle)))) valid = middle;
    else broken = middle;
  }
  return wholeUntil(bytes, start, valid);
}
