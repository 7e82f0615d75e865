import type { PdfDocument } from '../pdf-document.js';
import type { GlyphRun } from './segment-text.js';

/**
 * The text operators that draw glyph runs with their baseline at (x, y), in the flipped coordinates of a pdfkit page
 * (y grows downwards). Includes the glyphs in the document's subset of each font.
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
  let lift = 0;
  for (const run of runs) {
    const font = document.fontOf(run.face);
    document.page.fonts[font.id] ??= font.ref();
    operators += ` /${font.id} ${fixed(size)} Tf [`;
    let hex = '';
    for (const glyph of run.glyphs) {
      const code = font.subset.includeGlyph(glyph.id);
      font.widths[code] ??= glyph.width;
      font.unicode[code] ??= glyph.codePoints;
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
    operators += `${hexString(hex)}] TJ`;
  }
  return `${operators}${lift === 0 ? '' : ' 0 Ts'} ET`;
}

const HEX = Array.from({ length: 256 }, (_, value) => value.toString(16).padStart(2, '0'));
const hexString = (hex: string): string => (hex === '' ? '' : `<${hex}>`);
const fixed = (value: number): string => String(Math.round(value * 100) / 100);

const COLORS = new Map<string, string>();

/** `#rrggbb` as the three operands of `rg`. */
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
