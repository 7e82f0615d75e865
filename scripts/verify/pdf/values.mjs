/**
 * Values of PDF: numbers, booleans and null as themselves, arrays as arrays, dictionaries as maps by name; the others
 * are these. Texts are bytes in latin-1.
 */
export class Name {
  constructor(value) {
    this.value = value;
  }
}

export class Text {
  constructor(value, hex = false) {
    this.value = value;
    this.hex = hex;
  }
}

export class Ref {
  constructor(num, gen) {
    this.num = num;
    this.gen = gen;
  }
}

/** A stream and the position of its raw bytes. */
export class Stream {
  constructor(dict, bytes) {
    this.dict = dict;
    this.bytes = bytes;
  }
}

/** A file that is no PDF, is damaged, or exceeds a limit; the message names the fault and its place. */
export class Unreadable extends Error {}

/** Returns true if two values are written alike; references are compared, not followed. */
export function isSame(one, other) {
  if (one === other) return true;
  if (one === null || other === null || typeof one !== 'object' || one.constructor !== other?.constructor)
    return false;
  if (one instanceof Ref) return one.num === other.num && one.gen === other.gen;
  if (one instanceof Name || one instanceof Text) return one.value === other.value;
  if (Array.isArray(one))
    return one.length === other.length && one.every((value, place) => isSame(value, other[place]));
  if (one instanceof Map) return one.size === other.size && differentKeys(one, other).length === 0;
  return false;
}

/** Returns the names under which two dictionaries differ. */
export const differentKeys = (one, other) =>
  [...new Set([...one.keys(), ...other.keys()])].filter((key) => !isSame(one.get(key), other.get(key)));

/** The text of a name; undefined for anything else. */
export const nameIn = (value) => (value instanceof Name ? value.value : undefined);

/** A human-readable text, from UTF-16 with its mark, UTF-8 with its mark, or latin-1. */
export function readable(text) {
  if (!(text instanceof Text)) return undefined;
  const bytes = Uint8Array.from(text.value, (sign) => sign.charCodeAt(0));
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return new TextDecoder().decode(bytes);
  return text.value;
}
