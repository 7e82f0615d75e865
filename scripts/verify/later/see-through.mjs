import { decoded } from '../pdf/decoded.mjs';
import { operators } from '../pdf/page-marks.mjs';
import { Parser } from '../pdf/parser.mjs';
import { nameIn, Stream } from '../pdf/values.mjs';

const DEEPEST = 3;
const COLORS = new Set(['g', 'rg', 'k']);
/** Operators of positions, paths, and line styles, none of which draws. */
const PASSED = new Set('G RG K n W W* w J j M d i ri m h cm re l c v y'.split(' '));

/**
 * Returns the light that the drawing of a highlight lets through: it only multiplies a light colour with the content
 * under it; 0 for any other drawing.
 */
export function looksThrough(file, appearances) {
  const streams = ['N', 'R', 'D'].flatMap((key) =>
    appearances.has(key) ? [file.follow(appearances.get(key))] : [],
  );
  if (streams.length === 0 || !streams.every((stream) => stream instanceof Stream)) return 0;
  return Math.min(...streams.map((stream) => lightThrough(file, stream, { depth: 0, state: START })));
}

const START = { multiplies: false, light: 0 };

function lightThrough(file, stream, { depth, state: given }) {
  const resources = file.dict(stream.dict.get('Resources'));
  // With its own colours, or an isolated group, multiplication has nothing to multiply with.
  const isApart = file.dict(stream.dict.get('Group'))?.has('I') && !given.multiplies;
  if (resources?.has('ColorSpace') || isApart) return 0;
  const saved = [];
  let [state, light] = [given, 1];
  for (const { operator, operands } of operators(new Parser(decoded(file, stream)), file)) {
    if (operator === 'q') saved.push(state);
    else if (operator === 'Q') state = saved.pop() ?? given;
    else if (operator === 'gs') state = { ...state, ...modeOf(file, resources, operands[0]) };
    else if (COLORS.has(operator)) state = { ...state, light: lightOfColor(operands) };
    else if (['f', 'F', 'f*'].includes(operator)) light *= state.multiplies ? state.light : 0;
    else if (operator === 'Do') light *= throughForm(file, resources, operands[0], { depth, state });
    else if (!PASSED.has(operator)) return 0;
  }
  return light;
}

function throughForm(file, resources, name, { depth, state }) {
  const form = file.follow(file.dict(resources?.get('XObject'))?.get(nameIn(name)));
  const isForm = form instanceof Stream && nameIn(file.follow(form.dict.get('Subtype'))) === 'Form';
  return isForm && depth < DEEPEST ? lightThrough(file, form, { depth: depth + 1, state }) : 0;
}

function modeOf(file, resources, name) {
  const mode = file.dict(file.dict(resources?.get('ExtGState'))?.get(nameIn(name)));
  if (!mode) return {};
  if (mode.has('TR') || mode.has('TR2')) return { multiplies: false };
  return mode.has('BM') ? { multiplies: nameIn(file.follow(mode.get('BM'))) === 'Multiply' } : {};
}

/** Returns the lightness of a colour with one, three or four components: 1 is white. */
export function lightOfColor(parts) {
  if (!parts.every((one) => one >= 0 && one <= 1)) return 0;
  const [first, second, third, black] = parts;
  if (parts.length === 1) return first;
  if (parts.length === 3) return 0.3 * first + 0.59 * second + 0.11 * third;
  return parts.length === 4 ? (1 - black) * (1 - (first + second + third) / 3) : 0;
}
