import { IDENTITY, isMatrix, mapped, product } from './matrix.mjs';
import { nameIn, Text } from './values.mjs';

/** Height of a drawn letter, relative to its size: precise enough to detect whether something covers it. */
const [LOWEST, HIGHEST] = [0.02, 0.62];
/** Width of a letter without a stated width, in thousandths of its size. */
const UNKNOWN_WIDTH = 1000;

const START = { font: undefined, size: 0, spacing: 0, wordSpacing: 0, scale: 1, leading: 0, rise: 0 };

/** Positions of the letters of a page: a box for each run. */
export class PageText {
  state = START;
  at = IDENTITY;
  line = IDENTITY;
  fonts = new Map();

  constructor(file, boxes) {
    this.file = file;
    this.boxes = boxes;
  }

  save() {
    return this.state;
  }

  restore(state) {
    this.state = state;
  }

  set(changes) {
    this.state = { ...this.state, ...changes };
  }

  take(operator, operands, resources, matrix) {
    const [first, second] = operands;
    if (operator === 'Tj') this.show([first], matrix);
    else if (operator === 'TJ') this.show(Array.isArray(first) ? first : [], matrix);
    else if (operator === "'") this.nextLine(0, -this.state.leading).show([first], matrix);
    else if (operator === '"') this.nextLine(0, -this.state.leading).show([operands[2]], matrix);
    else if (operator === 'BT') this.line = this.at = IDENTITY;
    else if (operator === 'Tm' && isMatrix(operands)) this.line = this.at = operands;
    else if (operator === 'Td') this.nextLine(first, second);
    else if (operator === 'TD') {
      this.set({ leading: -second });
      this.nextLine(first, second);
    } else if (operator === 'T*') this.nextLine(0, -this.state.leading);
    else if (operator === 'Tf') this.set({ font: this.fontOf(nameIn(first), resources), size: second });
    else if (operator === 'Tc') this.set({ spacing: first });
    else if (operator === 'Tw') this.set({ wordSpacing: first });
    else if (operator === 'Tz') this.set({ scale: first / 100 });
    else if (operator === 'TL') this.set({ leading: first });
    else if (operator === 'Ts') this.set({ rise: first });
  }

  nextLine(x, y) {
    this.line = this.at = product([1, 0, 0, 1, x, y], this.line);
    return this;
  }

  show(parts, matrix) {
    const { size, scale, rise } = this.state;
    for (const part of parts) {
      const advance = part instanceof Text ? this.widthOf(part.value) : (-part / 1000) * size * scale;
      if (!Number.isFinite(advance)) continue;
      if (part instanceof Text && advance !== 0) {
        const box = [0, rise + LOWEST * size, advance, rise + HIGHEST * size];
        this.boxes.push(mapped(box, product(this.at, matrix)));
      }
      this.at = product([1, 0, 0, 1, advance, 0], this.at);
    }
  }

  widthOf(text) {
    const { font, size, spacing, wordSpacing, scale } = this.state;
    const step = font?.wide ? 2 : 1;
    let width = 0;
    for (let at = 0; at + step <= text.length; at += step) {
      const code = step === 2 ? text.charCodeAt(at) * 256 + text.charCodeAt(at + 1) : text.charCodeAt(at);
      const space = code === 32 && step === 1 ? wordSpacing : 0;
      width += ((font?.widths.get(code) ?? font?.otherwise ?? UNKNOWN_WIDTH) / 1000) * size + spacing + space;
    }
    return width * scale;
  }

  fontOf(name, resources) {
    const { file, fonts } = this;
    const dict = file.dict(file.dict(resources?.get('Font'))?.get(name));
    if (!dict) return undefined;
    if (!fonts.has(dict))
      fonts.set(dict, nameIn(dict.get('Subtype')) === 'Type0' ? wideFont(file, dict) : plainFont(file, dict));
    return fonts.get(dict);
  }
}

function plainFont(file, dict) {
  const first = file.follow(dict.get('FirstChar')) ?? 0;
  const widths = file.list(dict.get('Widths')).map((width, place) => [first + place, file.follow(width)]);
  return { wide: false, widths: new Map(widths), otherwise: UNKNOWN_WIDTH };
}

/** `W`: a first code and a list of widths, or two codes and the width of all between them. */
function wideFont(file, dict) {
  const inner = file.dict(file.list(dict.get('DescendantFonts'))[0]);
  const list = file.list(inner?.get('W')).map((one) => file.follow(one));
  const widths = new Map();
  for (let at = 0; at + 1 < list.length;) {
    const [from, to] = [list[at], list[at + 1]];
    if (Array.isArray(to)) {
      to.forEach((width, place) => widths.set(from + place, file.follow(width)));
      at += 2;
    } else {
      for (let code = from; code <= Math.min(to, 65_535); code++) widths.set(code, list[at + 2]);
      at += 3;
    }
  }
  return { wide: true, widths, otherwise: file.follow(inner?.get('DW')) ?? UNKNOWN_WIDTH };
}
