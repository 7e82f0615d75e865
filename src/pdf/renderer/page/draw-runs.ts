import type { PdfDocument } from '../file/pdf-document.js';
import type { EmbeddedFont } from '../file/pdfmake-parts.js';
import type { SetGlyph } from '../text/font-face.js';
import type { FontLibrary } from '../text/font-library.js';
import type { GlyphRun } from '../text/segment-text.js';

/**
 * Returns the text operators that draw glyph runs with their baseline at (x, y), in the flipped coordinates of a pdfkit page
 * (y grows downwards). Adds the glyphs to the document's subset of each font.
 */
export function drawRuns(
  document: PdfDocument,
  runs: readonly GlyphRun[],
  x: number,
  y: number,
  size: number,
  color: string,
): string {
  let operators = `BT ${colorOperands(color)} rg 1 0 0 -1 ${fixed(x)} ${fixed(y)} Tm`;
  for (const run of runs) {
    const font = document.fontOf(run.face);
    document.page.fonts[font.id] ??= font.ref();
    const shown = `/${font.id} ${fixed(size)} Tf ${showGlyphs(font, run.glyphs, size)}`;
    operators +=
      run.actual === undefined && run.language === undefined ? ` ${shown}` : ` ${spanOf(run)} ${shown} EMC`;
  }
  return `${operators} ET`;
}

function spanOf({ actual, language }: GlyphRun): string {
  const replacement = actual === undefined ? '' : `/ActualText ${utf16(actual)}`;
  return `/Span <<${replacement}${language === undefined ? '' : `/Lang (${language})`}>> BDC`;
}

/**
 * Returns the operators of a blank, which separates parts of an element's tagged text that are apart on the page.
 */
export function drawBlank(
  document: PdfDocument,
  library: FontLibrary,
  x: number,
  y: number,
  size: number,
): string {
  const face = library.base('regular');
  const font = document.fontOf(face);
  document.page.fonts[font.id] ??= font.ref();
  const glyphs = [face.glyph(0x20) as SetGlyph];
  return `BT 1 0 0 -1 ${fixed(x)} ${fixed(y)} Tm /${font.id} ${fixed(size)} Tf ${showGlyphs(font, glyphs, size)} ET`;
}

/** Returns the operators that show glyphs, with corrections for kerning, marks and joining. */
function showGlyphs(font: EmbeddedFont, glyphs: readonly SetGlyph[], size: number): string {
  let operators = '[';
  let hex = '';
  let lift = 0;
  for (const glyph of glyphs) {
    const code = codeOf(font, glyph);
    if (glyph.dy !== lift) {
      operators += `${hexString(hex)}] TJ ${fixed((glyph.dy * size) / 1000)} Ts [`;
      hex = '';
      lift = glyph.dy;
    }
    if (glyph.dx !== 0) {
      operators += `${hexString(hex)} ${fixed(-glyph.dx)} `;
      hex = '';
    }
    hex += HEX[code >> 8] as string;
    hex += HEX[code & 0xff] as string;
    const correction = glyph.width + glyph.dx - glyph.advance;
    if (correction > 0.01 || correction < -0.01) {
      operators += `${hexString(hex)} ${fixed(correction)} `;
      hex = '';
    }
  }
  return `${operators}${hexString(hex)}] TJ${lift === 0 ? '' : ' 0 Ts'}`;
}

/**
 * Returns the number of a glyph in the document's font. A glyph that represents several characters (a dotless Arabic letter,
 * a mirrored bracket) has a number for each, so that the text can be extracted exactly.
 */
function codeOf(font: EmbeddedFont, glyph: SetGlyph): number {
  const code = font.subset.includeGlyph(glyph.id);
  const known = font.unicode[code];
  if (known === glyph.codePoints) return code;
  if (known === undefined) return register(font, glyph, code);
  if (isSame(known, glyph.codePoints)) return code;
  const others = (font.otherCodes ??= new Map<string, number>());
  const key = `${glyph.id}:${glyph.codePoints.join()}`;
  let other = others.get(key);
  if (other === undefined) {
    other = register(font, glyph, font.subset.glyphs.push(glyph.id) - 1);
    others.set(key, other);
  }
  return other;
}

function register(font: EmbeddedFont, glyph: SetGlyph, code: number): number {
  font.widths[code] = glyph.width;
  font.unicode[code] = glyph.codePoints;
  return code;
}

const isSame = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((codePoint, index) => codePoint === other[index]);

/** Returns a text as a hexadecimal string of a PDF. */
export const utf16 = (text: string): string =>
  `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`;
const HEX = Array.from({ length: 256 }, (_, value) => value.toString(16).padStart(2, '0'));
const hexString = (hex: string): string => (hex === '' ? '' : `<${hex}>`);
const fixed = (value: number): string => String(Math.round(value * 100) / 100);

const COLORS = new Map<string, string>();

/** Returns `#rrggbb` as the three operands of `rg`. */
export function colorOperands(color: string): string {
  let operands = COLORS.get(color);
  if (operands === undefined) {
    const value = Number.parseInt(color.slice(1), 16);
    const channel = (shift: number): number => Math.round((((value >> shift) & 0xff) / 255) * 1000) / 1000;
    operands = `${channel(16)} ${channel(8)} ${channel(0)}`;
    COLORS.set(color, operands);
  }
  return operands;
}
