import { decoded } from './decoded.mjs';
import { around, IDENTITY, isMatrix, mapped, product } from './matrix.mjs';
import { PageText } from './page-text.mjs';
import { Parser } from './parser.mjs';
import { nameIn, Stream, Unreadable } from './values.mjs';

/** Nesting of forms. */
const DEEPEST = 5;
/** Operators of all pages of a file together. */
const MOST_OPERATORS = 30_000_000;
const MOST_OPERANDS = 100_000;
const UNIT = [0, 0, 1, 1];

/**
 * Lists the visible content of a page, in order: `{ stream, box }` of each picture, and with `texts` the box of each
 * run of letters. It interprets the page as a PDF reader does: a picture that only lies in the file does not count.
 */
export function marksOf(file, page, { texts = false } = {}) {
  const marks = { pictures: [], texts: [] };
  const contents = file.follow(page.get('Contents'));
  const parts = (Array.isArray(contents) ? contents : [contents]).map((part) => file.follow(part));
  const streams = parts.filter((part) => part instanceof Stream).map((part) => decoded(file, part));
  const walk = new ContentWalk(file, marks, texts);
  walk.run(joinedLines(streams), file.dict(file.inherited(page, 'Resources')), IDENTITY, 0);
  return marks;
}

class ContentWalk {
  constructor(file, marks, texts) {
    this.file = file;
    this.marks = marks;
    this.text = texts ? new PageText(file, marks.texts) : undefined;
  }

  run(content, resources, base, depth) {
    const parser = new Parser(content);
    let matrix = base;
    const saved = [];
    for (const { operator, operands } of operators(parser, this.file)) {
      if (operator === 'q') saved.push([matrix, this.text?.save()]);
      else if (operator === 'Q' && saved.length > 0) {
        const [before, state] = saved.pop();
        matrix = before;
        this.text?.restore(state);
      } else if (operator === 'cm' && isMatrix(operands)) matrix = product(operands, matrix);
      else if (operator === 'Do') this.draw(operands[0], resources, matrix, depth);
      else this.text?.take(operator, operands, resources, matrix);
    }
  }

  draw(name, resources, matrix, depth) {
    const { file } = this;
    const stream = file.follow(file.dict(resources?.get('XObject'))?.get(nameIn(name)));
    if (!(stream instanceof Stream)) return;
    if (nameIn(file.follow(stream.dict.get('Subtype'))) === 'Image') {
      this.marks.pictures.push({ stream, box: mapped(UNIT, matrix) });
    } else if (depth < DEEPEST) {
      const own = file.list(stream.dict.get('Matrix')).map((one) => file.follow(one));
      const inner = isMatrix(own) ? product(own, matrix) : matrix;
      const state = this.text?.save();
      this.run(decoded(file, stream), file.dict(stream.dict.get('Resources')) ?? resources, inner, depth + 1);
      this.text?.restore(state);
    }
  }
}

/** Yields the operators of a content stream with their operands; inline pictures are skipped. */
export function* operators(parser, file) {
  let operands = [];
  for (parser.skip(); parser.at < parser.end; parser.skip()) {
    let value;
    try {
      value = parser.value();
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      // Skips anything but values, as readers do.
      parser.at++;
      continue;
    }
    if (value?.word === undefined) {
      if (operands.push(value) > MOST_OPERANDS) throw new Unreadable('a page has too many values in a row');
      continue;
    }
    file.operators = (file.operators ?? 0) + 1;
    if (file.operators > MOST_OPERATORS) throw new Unreadable('its pages draw too much');
    if (value.word === '') parser.at++;
    if (value.word === 'ID') passPicture(parser);
    yield { operator: value.word, operands };
    operands = [];
  }
}

function passPicture(parser) {
  const isSpace = (sign) => sign === undefined || sign <= 32;
  for (parser.at++; parser.at < parser.end; parser.at++) {
    const { bytes, at } = parser;
    if (bytes[at] === 0x45 && bytes[at + 1] === 0x49 && isSpace(bytes[at - 1]) && isSpace(bytes[at + 2])) {
      parser.at += 2;
      return;
    }
  }
}

function joinedLines(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length + 1, 0)).fill(10);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length + 1;
  }
  return whole;
}

/** Returns the bounding box of the numbers in a list; undefined for anything else. */
export function boxOf(file, value) {
  const numbers = file.list(value).map((one) => file.follow(one));
  return numbers.length === 4 && numbers.every((one) => Number.isFinite(one)) ? around(numbers) : undefined;
}
