import { Unzlib } from 'fflate';
import { Name, Unreadable } from './values.mjs';

/** Limit for one stream, and for all streams of a file together: no report unpacks to more. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_IN_ALL = 512 * 1024 * 1024;
/** Chunk size for the decompressor, which expands it at most a thousandfold. */
const PIECE = 4096;

/** Counts the decompressed bytes of one file. */
export class Budget {
  used = 0;

  spend(bytes) {
    this.used += bytes;
    if (this.used > MOST_IN_ALL) throw new Unreadable('it unpacks to more than 512 MB');
  }
}

/** Returns the bytes of a stream without its filters. Throws `Unreadable` for pictures and other filters. */
export function decoded(file, { dict, bytes }) {
  const filters = listOf(file.follow(dict.get('Filter')), file);
  const parameters = listOf(file.follow(dict.get('DecodeParms')), file);
  return filters.reduce((packed, filter, place) => {
    const name = filter instanceof Name ? filter.value : '';
    if (name === 'ASCIIHexDecode' || name === 'AHx') return fromHex(packed);
    if (name !== 'FlateDecode' && name !== 'Fl')
      throw new Unreadable(`a stream is packed with "${name.slice(0, 40)}"`);
    return withoutPredictor(inflated(packed, file.budget), parameters[place], file);
  }, bytes);
}

const listOf = (value, file) =>
  value === undefined || value === null
    ? []
    : Array.isArray(value)
      ? value.map((one) => file.follow(one))
      : [value];

function inflated(packed, budget) {
  const parts = [];
  let length = 0;
  const unpacker = new Unzlib((part) => {
    length += part.length;
    budget.spend(part.length);
    if (length > MOST_BYTES) throw new Unreadable('a stream unpacks to more than 64 MB');
    parts.push(part);
  });
  try {
    for (let at = 0; at < packed.length; at += PIECE) {
      unpacker.push(packed.subarray(at, at + PIECE), at + PIECE >= packed.length);
    }
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable('a packed stream is damaged');
  }
  return joined(parts, length);
}

function joined(parts, length) {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Reverses the PNG predictors, as in cross-reference streams. */
function withoutPredictor(bytes, parameters, file) {
  const number = (name, otherwise) => {
    const value = parameters instanceof Map ? file.follow(parameters.get(name)) : undefined;
    return Number.isSafeInteger(value) ? value : otherwise;
  };
  const predictor = number('Predictor', 1);
  if (predictor === 1) return bytes;
  const [colors, bits, columns] = [number('Colors', 1), number('BitsPerComponent', 8), number('Columns', 1)];
  const width = Math.ceil((colors * bits * columns) / 8);
  if (predictor < 10 || bits !== 8 || width < 1 || width > 1_000_000) {
    throw new Unreadable('a stream has a predictor that is not known');
  }
  const rows = Math.floor(bytes.length / (width + 1));
  const out = new Uint8Array(rows * width);
  for (let row = 0; row < rows; row++) {
    unpredict(bytes.subarray(row * (width + 1), (row + 1) * (width + 1)), out, row * width, {
      width,
      colors,
    });
  }
  return out;
}

function unpredict(line, out, at, { width, colors }) {
  for (let place = 0; place < width; place++) {
    const left = place >= colors ? out[at + place - colors] : 0;
    const up = at > 0 ? out[at + place - width] : 0;
    const corner = at > 0 && place >= colors ? out[at + place - width - colors] : 0;
    const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][line[0]];
    if (guess === undefined) throw new Unreadable('a stream has a predictor that is not known');
    out[at + place] = line[place + 1] + guess;
  }
}

function paeth(left, up, corner) {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

function fromHex(bytes) {
  const digits = new TextDecoder('latin1')
    .decode(bytes)
    .split('>')[0]
    .replaceAll(/[^0-9A-Fa-f]/g, '');
  return Uint8Array.from((digits + '0').match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
