import { Name, Ref, Stream, Text, Unreadable } from './values.mjs';

const DEEPEST = 100;
const LONGEST_TEXT = 8 * 1024 * 1024;

const [OTHER, SPACE, DELIMITER] = [0, 1, 2];
const KINDS = new Uint8Array(256);
for (const sign of '\0\t\n\f\r ') KINDS[sign.charCodeAt(0)] = SPACE;
for (const sign of '()<>[]{}/%') KINDS[sign.charCodeAt(0)] = DELIMITER;
const [CR, LF] = [13, 10];
const ESCAPES = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** Reads values of PDF from bytes in sequence. Throws `Unreadable` for anything else. */
export class Parser {
  constructor(bytes, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  /** Skips white space and comments. */
  skip() {
    for (; this.at < this.end; this.at++) {
      const sign = this.bytes[this.at];
      if (sign === 0x25) while (this.at + 1 < this.end && !isLineEnd(this.bytes[this.at + 1])) this.at++;
      else if (KINDS[sign] !== SPACE) return;
    }
  }

  skipSpace() {
    while (this.at < this.end && KINDS[this.bytes[this.at]] === SPACE) this.at++;
  }

  /** Returns true if these characters follow, and skips them. */
  takes(word) {
    if (this.at + word.length > this.end) return false;
    for (let place = 0; place < word.length; place++) {
      if (this.bytes[this.at + place] !== word.charCodeAt(place)) return false;
    }
    this.at += word.length;
    return true;
  }

  expect(word) {
    if (!this.takes(word)) throw this.fault(`"${word}" is missing`);
  }

  fault(what) {
    return new Unreadable(`${what} at byte ${this.at}`);
  }

  integer() {
    const from = this.at;
    while (this.at < this.end && this.bytes[this.at] >= 0x30 && this.bytes[this.at] <= 0x39) this.at++;
    if (this.at === from || this.at - from > 15) throw this.fault('a number is missing');
    return Number(latin(this.bytes, from, this.at));
  }

  /**
   * Returns the value that begins here. A word that is none (an operator of a page's content) is returned as `{ word
   * }`.
   */
  value(depth = 0) {
    if (depth > DEEPEST) throw this.fault('too deep');
    this.skip();
    if (this.at >= this.end) throw this.fault('something is missing');
    const sign = String.fromCharCode(this.bytes[this.at]);
    if (sign === '/') return this.name();
    if (sign === '(') return this.text();
    if (sign === '<') return this.bytes[this.at + 1] === 0x3c ? this.dictionary(depth) : this.hexText();
    if (sign === '[') return this.array(depth);
    if (KINDS[this.bytes[this.at]] === DELIMITER) throw this.fault(`"${sign}" is out of place`);
    return this.numberOrWord();
  }

  name() {
    const from = ++this.at;
    while (this.at < this.end && KINDS[this.bytes[this.at]] === OTHER) this.at++;
    const written = latin(this.bytes, from, this.at);
    const decode = (_, hex) => String.fromCharCode(parseInt(hex, 16));
    return new Name(written.includes('#') ? written.replaceAll(/#([0-9A-Fa-f]{2})/g, decode) : written);
  }

  text() {
    const parts = [];
    let open = 1;
    for (this.at++; ; this.at++) {
      if (this.at >= this.end || parts.length > LONGEST_TEXT) throw this.fault('a text does not end');
      const sign = String.fromCharCode(this.bytes[this.at]);
      if (sign === '\\') parts.push(this.escaped());
      else if (sign === ')' && --open === 0) break;
      else {
        if (sign === '(') open++;
        parts.push(sign);
      }
    }
    this.at++;
    return new Text(parts.join(''));
  }

  escaped() {
    const sign = String.fromCharCode(this.bytes[++this.at]);
    if (sign >= '0' && sign <= '7') {
      let code = 0;
      for (let digits = 0; digits < 3; digits++, this.at++) {
        const digit = this.bytes[this.at] - 0x30;
        if (!(digit >= 0 && digit <= 7)) break;
        code = code * 8 + digit;
      }
      this.at--;
      return String.fromCharCode(code & 255);
    }
    if (sign === '\r' && this.bytes[this.at + 1] === LF) this.at++;
    return sign === '\r' || sign === '\n' ? '' : (ESCAPES[sign] ?? sign);
  }

  hexText() {
    const from = ++this.at;
    while (this.at < this.end && this.bytes[this.at] !== 0x3e) this.at++;
    if (this.at >= this.end) throw this.fault('a text does not end');
    const digits = latin(this.bytes, from, this.at++).replaceAll(/[\0\t\n\f\r ]/g, '');
    if (/[^0-9A-Fa-f]/.test(digits)) throw this.fault('a text in hex has other digits');
    const even = digits.length % 2 === 0 ? digits : `${digits}0`;
    return new Text(
      even.replaceAll(/../g, (pair) => String.fromCharCode(parseInt(pair, 16))),
      true,
    );
  }

  array(depth) {
    const values = [];
    for (this.at++; ;) {
      this.skip();
      if (this.takes(']')) return values;
      values.push(this.plain(depth));
    }
  }

  dictionary(depth) {
    const entries = new Map();
    for (this.at += 2; ;) {
      this.skip();
      if (this.takes('>>')) return entries;
      if (this.bytes[this.at] !== 0x2f) throw this.fault('a name is missing');
      const { value: key } = this.name();
      // Programs differ in which of two they use.
      if (entries.has(key)) throw this.fault(`a dictionary has two entries "${key}"`);
      entries.set(key, this.plain(depth));
    }
  }

  plain(depth) {
    const value = this.value(depth + 1);
    if (value?.word !== undefined) throw this.fault(`"${value.word}" is out of place`);
    return value;
  }

  numberOrWord() {
    const word = this.word();
    const number = numberOf(word);
    if (number === undefined) return WORDS.has(word) ? WORDS.get(word) : { word };
    return this.reference(word, number) ?? number;
  }

  word() {
    const from = this.at;
    while (this.at < this.end && KINDS[this.bytes[this.at]] === OTHER) this.at++;
    return latin(this.bytes, from, this.at);
  }

  reference(word, num) {
    if (!/^\d+$/.test(word)) return undefined;
    const back = this.at;
    this.skip();
    const gen = this.word();
    this.skip();
    if (/^\d{1,5}$/.test(gen) && this.word() === 'R') return new Ref(num, Number(gen));
    this.at = back;
    return undefined;
  }

  /** Reads `N G obj … endobj`; `lengthOf` follows a reference to the length of a stream. */
  object(lengthOf) {
    const start = this.at;
    const num = this.integer();
    this.skipSpace();
    const gen = this.integer();
    this.skipSpace();
    this.expect('obj');
    let value = this.plain(0);
    this.skip();
    if (value instanceof Map && this.takes('stream')) value = this.stream(value, lengthOf);
    this.skip();
    this.expect('endobj');
    return { num, gen, start, end: this.at, value };
  }

  stream(dict, lengthOf) {
    if (this.bytes[this.at] === CR) this.at++;
    if (this.bytes[this.at] !== LF) throw this.fault('a stream begins on no line of its own');
    const from = ++this.at;
    const written = dict.get('Length');
    const length = written instanceof Ref ? lengthOf(written) : written;
    if (!Number.isSafeInteger(length) || length < 0 || from + length > this.end) {
      throw this.fault('a stream is longer than the file');
    }
    this.at = from + length;
    this.skipSpace();
    this.expect('endstream');
    return new Stream(dict, this.bytes.subarray(from, from + length));
  }
}

const WORDS = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

const numberOf = (word) => (/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(word) ? Number(word) : undefined);

const isLineEnd = (sign) => sign === CR || sign === LF;

/** Returns bytes as a text of one character each. */
export function latin(bytes, from, to) {
  let text = '';
  for (let at = from; at < to; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, Math.min(at + 8192, to)));
  }
  return text;
}
