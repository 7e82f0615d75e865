import { MAX_JSON_DEPTH, tooDeep } from './json-limits.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/** Classes of the bytes outside of strings; `PLAIN` is part of a number or word. */
const PLAIN = 0;
const BLANK = 1;
const STRING = 2;
const PART = 3;
const OPEN = 4;
const CLOSE = 5;

const KINDS = new Uint8Array(256).fill(BLANK, 0, 0x21);
for (const [text, kind] of [
  ['"', STRING],
  [',', PART],
  ['[{', OPEN],
  [']}', CLOSE],
] as const)
  for (const byte of Buffer.from(text)) KINDS[byte] = kind;

/** Digits of the shortest whole number that JavaScript may round. */
const LONG_DIGITS = 16;

/** `\uXXXX`. */
const ESCAPE_LENGTH = 6;

/**
 * Scans JSON as it arrives: counts its values (members and elements at any depth), limits its depth, and replaces escapes
 * that PostgreSQL cannot store (NUL and lone surrogates) by U+FFFD in place. Does not check that the text is JSON.
 */
export class JsonScan {
  /** Values so far. */
  values = 0;
  /** True while there was only white space. */
  blank = true;
  /** True after a number that JavaScript may round (`withExactIds`). */
  hasLongNumber = false;
  private depth = 0;
  private inString = false;
  /** True after an opening bracket, until its first element. */
  private opened = false;
  private next = 0;
  /** Length of the current number or word so far. */
  private word = 0;

  /**
   * Continues in a text of which `end` bytes have arrived. An incomplete escape waits for its rest. Throws 400
   * `json_too_deep`.
   */
  read(bytes: Uint8Array, end: number): void {
    let at = this.next;
    while (at < end) {
      if (!this.inString) at = this.readTokens(bytes, at, end);
      else {
        at = endOfPlain(bytes, at, end);
        if (at === end) break;
        if (bytes[at] === QUOTE) {
          this.inString = false;
          at += 1;
        } else {
          const after = afterEscape(bytes, at, end);
          if (after < 0) break;
          at = after;
        }
      }
    }
    this.next = at;
  }

  /** Reads up to the first byte of the next string, or to the end. */
  private readTokens(bytes: Uint8Array, start: number, end: number): number {
    let at = start;
    let { word } = this;
    for (let kind = BLANK; at < end && kind !== STRING; at++) {
      kind = KINDS[bytes[at]!]!;
      word = kind === PLAIN ? word + 1 : 0;
      if (word === LONG_DIGITS) this.hasLongNumber = true;
      if (kind === BLANK || (kind === PLAIN && !this.opened && !this.blank)) continue;
      this.token(kind);
    }
    this.word = word;
    return at;
  }

  private token(kind: number): void {
    this.blank = false;
    if (this.opened) {
      this.opened = false;
      if (kind !== CLOSE) this.values += 1;
    }
    if (kind === STRING) this.inString = true;
    else if (kind === PART) this.values += 1;
    else if (kind === CLOSE) this.depth -= 1;
    else if (kind === OPEN) {
      this.opened = true;
      if (++this.depth > MAX_JSON_DEPTH) throw tooDeep();
    }
  }
}

/** Returns the position of the next quote or backslash. */
function endOfPlain(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  for (; at < end; at++) {
    const byte = bytes[at];
    if (byte === QUOTE || byte === BACKSLASH) break;
  }
  return at;
}

/** Returns the position after the escape at `at`; -1 when it, or the second half of its pair, has not arrived. */
function afterEscape(bytes: Uint8Array, at: number, end: number): number {
  if (at + 1 >= end) return -1;
  if (bytes[at + 1] !== LETTER_U) return at + 2;
  const after = at + ESCAPE_LENGTH;
  if (after > end) return -1;
  const unit = unitAt(bytes, at);
  if (isHigh(unit)) {
    const paired = hasLow(bytes, after, end);
    if (paired === undefined) return -1;
    if (paired) return after + ESCAPE_LENGTH;
  }
  if (unit === 0 || isHigh(unit) || isLow(unit)) replace(bytes, at);
  return after;
}

/** Returns whether the escape of a low surrogate is at `at`; undefined when too little has arrived. */
function hasLow(bytes: Uint8Array, at: number, end: number): boolean | undefined {
  if (at >= end) return undefined;
  if (bytes[at] !== BACKSLASH) return false;
  if (at + 1 >= end) return undefined;
  if (bytes[at + 1] !== LETTER_U) return false;
  return at + ESCAPE_LENGTH > end ? undefined : isLow(unitAt(bytes, at));
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** Returns the four digits of an escape as a number; -1 when they are not digits, which the parser reports. */
function unitAt(bytes: Uint8Array, escape: number): number {
  let unit = 0;
  for (let at = escape + 2; at < escape + ESCAPE_LENGTH; at++) {
    const digit = digitOf(bytes[at]!);
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

function digitOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** Replaces an escape by one of the same length, so that nothing moves. */
function replace(bytes: Uint8Array, escape: number): void {
  bytes.set(REPLACEMENT, escape);
}

const REPLACEMENT = Buffer.from('\\ufffd');
