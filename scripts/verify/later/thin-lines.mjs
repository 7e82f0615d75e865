import { decoded } from '../pdf/decoded.mjs';
import { around, grown, IDENTITY, isMatrix, mapped, product } from '../pdf/matrix.mjs';
import { boxOf, operators } from '../pdf/page-marks.mjs';
import { Parser } from '../pdf/parser.mjs';
import { nameIn, Stream } from '../pdf/values.mjs';

/** Nesting of forms. */
const DEEPEST = 3;
/** Points on the page: width of a line, and amplitude of a wave. */
const THICKEST = 1.5;
const HIGHEST_WAVE = 4;
/** Length of a wave in relation to its width: one that goes back and forth fills its box. */
const LONGEST_WAVE = 2;
/** Light through a line or a wave: two lines over the same words leave enough of it, or one line and one wave. */
const PAST_LINE = 0.55;
const PAST_WAVE = 0.4;
const MOST_LINES = 200;
/** A colour whose components all exceed this is hardly visible on paper: drawing in it only hides. */
const PALE = 0.7;

/** Number of operands of path operators. */
const POINTS = { l: 2, c: 6, v: 4, y: 4 };
const HARMLESS = new Set(['n', 'W', 'W*', 'J', 'j', 'M', 'd', 'i', 'ri', 'g', 'rg', 'k']);
/** Blend modes that leave a colour laid over the page unchanged, or darken. */
const BLENDS = new Set(['Normal', 'Compatible', 'Multiply', 'Darken']);

/** Returns the light through a line that the viewer itself draws along a text. */
export const lightPastLine = (color) => (isPale(color) ? 0 : PAST_LINE);

/**
 * Returns the boxes that the drawings of an underline cover on the page, each with the light that it lets through: thin
 * lines and low waves in a visible colour. Undefined if they contain anything else.
 */
export function linesOf(file, appearances, rect) {
  const lines = [];
  for (const key of ['N', 'R', 'D']) {
    if (!appearances.has(key)) continue;
    const stream = file.follow(appearances.get(key));
    const fit = stream instanceof Stream ? fitOf(file, stream, rect) : undefined;
    if (!fit || !collect(file, stream, { matrix: fit, depth: 0, lines, state: START })) return undefined;
  }
  return lines;
}

const START = { width: 1, pale: false };

/** The box of a drawing is stretched over the rectangle of its mark. */
function fitOf(file, stream, rect) {
  const box = boxOf(file, stream.dict.get('BBox'));
  if (!box) return undefined;
  const [left, bottom, right, top] = mapped(box, ownMatrix(file, stream));
  if (!(right > left && top > bottom)) return undefined;
  const [x, y] = [(rect[2] - rect[0]) / (right - left), (rect[3] - rect[1]) / (top - bottom)];
  return [x, 0, 0, y, rect[0] - left * x, rect[1] - bottom * y];
}

function ownMatrix(file, stream) {
  const own = file.list(stream.dict.get('Matrix')).map((one) => file.follow(one));
  return isMatrix(own) ? own : IDENTITY;
}

/** Adds the lines of a drawing; returns false unless it consists of thin lines alone. */
function collect(file, stream, { matrix, depth, lines, state: given }) {
  const resources = file.dict(stream.dict.get('Resources'));
  if (resources?.has('ColorSpace')) return false;
  let [state, paths] = [{ ...given, matrix: product(ownMatrix(file, stream), matrix) }, []];
  const saved = [];
  for (const { operator, operands } of operators(new Parser(decoded(file, stream)), file)) {
    if (operator === 'q') saved.push(state);
    else if (operator === 'Q') state = saved.pop() ?? state;
    else if (operator === 'cm' && isMatrix(operands))
      state = { ...state, matrix: product(operands, state.matrix) };
    else if (operator === 'w') state = { ...state, width: operands[0] };
    else if (['G', 'RG', 'K'].includes(operator)) state = { ...state, pale: isPale(operands) };
    else if (operator === 'gs') {
      const mode = modeOf(file, resources, operands[0]);
      if (!mode) return false;
      state = { ...state, ...mode };
    } else if (operator === 'm') paths.push(pointOf(operands, state.matrix));
    else if (POINTS[operator] === operands.length && paths.length > 0)
      paths.at(-1).push(...pointOf(operands, state.matrix));
    else if (operator === 'h' && paths.length > 0) paths.at(-1).push(...paths.at(-1).slice(0, 2));
    else if (operator === 'S') {
      for (const path of paths) if (!isLine(path, state, lines)) return false;
      paths = [];
    } else if (operator === 'Do') {
      const form = file.follow(file.dict(resources?.get('XObject'))?.get(nameIn(operands[0])));
      const isForm = form instanceof Stream && nameIn(file.follow(form.dict.get('Subtype'))) === 'Form';
      const inner = { matrix: state.matrix, depth: depth + 1, lines, state };
      if (!isForm || depth >= DEEPEST || !collect(file, form, inner)) return false;
    } else if (!HARMLESS.has(operator)) return false;
    if (operator === 'n') paths = [];
  }
  return true;
}

function pointOf(numbers, [a, b, c, d, e, f]) {
  const points = [];
  for (let at = 0; at + 1 < numbers.length; at += 2) {
    const [x, y] = [numbers[at], numbers[at + 1]];
    points.push(a * x + c * y + e, b * x + d * y + f);
  }
  return points;
}

function isLine(path, { width, pale, matrix: [a, b, c, d] }, lines) {
  const thickness = Math.abs(width) * Math.max(Math.hypot(a, b), Math.hypot(c, d));
  const box = around(path);
  const [long, high] = [box[2] - box[0], box[3] - box[1]].sort((one, other) => other - one);
  const fits = pale === false && thickness <= THICKEST && high <= HIGHEST_WAVE;
  if (!fits || lengthOf(path) > LONGEST_WAVE * long + 1 || lines.length >= MOST_LINES) return false;
  const light = high > THICKEST || lengthOf(path) > long + 1 ? PAST_WAVE : PAST_LINE;
  lines.push({ box: grown(box, thickness / 2), light });
  return true;
}

function lengthOf(path) {
  let length = 0;
  for (let at = 2; at + 1 < path.length; at += 2)
    length += Math.hypot(path[at] - path[at - 2], path[at + 1] - path[at - 1]);
  return length;
}

/** Returns the width set by a graphics state; undefined if it may change colours. */
function modeOf(file, resources, name) {
  const mode = file.dict(file.dict(resources?.get('ExtGState'))?.get(nameIn(name)));
  if (!mode) return {};
  const blends = !mode.has('BM') || BLENDS.has(nameIn(file.follow(mode.get('BM'))));
  if (!blends || ['TR', 'TR2'].some((key) => mode.has(key))) return undefined;
  return mode.has('LW') ? { width: file.follow(mode.get('LW')) } : {};
}

/** Returns true for a pale colour with one, three or four components, and for anything that is no colour. */
function isPale(parts) {
  if (!parts.every((one) => one >= 0 && one <= 1)) return true;
  if (parts.length === 4) return Math.max(...parts.slice(0, 3)) + parts[3] < 1 - PALE;
  return parts.length > 0 && Math.min(...parts) > PALE;
}
