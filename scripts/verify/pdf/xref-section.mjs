import { decoded } from './decoded.mjs';
import { Parser } from './parser.mjs';
import { Stream, Unreadable, nameIn } from './values.mjs';

const MOST_OBJECTS = 2_000_000;

/**
 * Reads the cross-reference section at a position: `{ entries, trailer, end, object }`. Entries, by object number, are
 * `{ at, gen }`, `{ within, place }` (in an object stream) or `{ free: true }`; `object` is the stream that contains
 * it.
 */
export function xrefSection(bytes, at, file, end = bytes.length) {
  if (!Number.isSafeInteger(at) || at < 0 || at >= end)
    throw new Unreadable('the table of objects is missing');
  const parser = new Parser(bytes, at, end);
  return parser.takes('xref') ? tableAt(parser) : streamAt(parser, file);
}

function tableAt(parser) {
  const entries = new Map();
  for (parser.skipSpace(); !parser.takes('trailer'); parser.skipSpace()) {
    const first = parser.integer();
    parser.skipSpace();
    const count = parser.integer();
    for (let num = first; num < first + count; num++) put(entries, num, tableEntry(parser));
  }
  const trailer = parser.value();
  if (!(trailer instanceof Map)) throw parser.fault('the trailer is none');
  return { entries, trailer, end: parser.at };
}

function tableEntry(parser) {
  parser.skipSpace();
  const at = parser.integer();
  parser.skipSpace();
  const gen = parser.integer();
  parser.skipSpace();
  if (parser.takes('n')) return { at, gen };
  parser.expect('f');
  return { free: true };
}

function put(entries, num, entry) {
  if (num > 10 * MOST_OBJECTS || entries.size >= MOST_OBJECTS)
    throw new Unreadable('it has too many objects');
  // Programs differ in which of two they use.
  if (entries.has(num)) throw new Unreadable(`the table of objects has two entries for object ${num}`);
  entries.set(num, entry);
}

function streamAt(parser, file) {
  const object = parser.object(() => {
    throw parser.fault('the length of the table of objects lies elsewhere');
  });
  const { value: stream } = object;
  if (!(stream instanceof Stream) || nameIn(stream.dict.get('Type')) !== 'XRef') {
    throw parser.fault('the table of objects is none');
  }
  const widths = stream.dict.get('W');
  const index = stream.dict.get('Index') ?? [0, stream.dict.get('Size')];
  const isSize = (width) => Number.isSafeInteger(width) && width >= 0 && width <= 8;
  if (!Array.isArray(widths) || widths.length !== 3 || !widths.every(isSize) || !Array.isArray(index)) {
    throw parser.fault('the table of objects is damaged');
  }
  const entries = new Map();
  const rows = rowsOf(decoded(file, stream), widths);
  for (let pair = 0; pair + 1 < index.length; pair += 2) {
    for (let place = 0; place < index[pair + 1]; place++) {
      const row = rows.next();
      if (row.done) throw parser.fault('the table of objects is too short');
      put(entries, index[pair] + place, row.value);
    }
  }
  return { entries, trailer: stream.dict, end: object.end, object };
}

function* rowsOf(bytes, [type, second, third]) {
  const width = type + second + third;
  if (width === 0) return;
  const number = (at, size) => {
    let value = 0;
    for (let place = 0; place < size; place++) value = value * 256 + bytes[at + place];
    return value;
  };
  for (let at = 0; at + width <= bytes.length; at += width) {
    const kind = type === 0 ? 1 : number(at, type);
    const [one, two] = [number(at + type, second), number(at + type + second, third)];
    yield kind === 1 ? { at: one, gen: two } : kind === 2 ? { within: one, place: two } : { free: true };
  }
}
