import { createRequire } from 'node:module';

/** The part of fontkit that the type setter uses; the package has no types of its own. */
export interface FontFile {
  readonly unitsPerEm: number;
  readonly ascent: number;
  readonly descent: number;
  hasGlyphForCodePoint(codePoint: number): boolean;
  glyphForCodePoint(codePoint: number): FontGlyph;
  layout(
    text: string,
    features: Record<string, boolean>,
    script: undefined,
    language: undefined,
    direction: 'ltr' | 'rtl' | undefined,
  ): ShapedGlyphs;
}

export interface FontGlyph {
  readonly id: number;
  readonly advanceWidth: number;
  readonly codePoints: number[];
}

export interface ShapedGlyphs {
  readonly glyphs: readonly FontGlyph[];
  readonly positions: readonly {
    readonly xAdvance: number;
    readonly xOffset: number;
    readonly yOffset: number;
  }[];
}

interface GlyphCache {
  _glyphs: Record<number, FontGlyph | undefined>;
  getGlyph(id: number, codePoints?: number[]): FontGlyph;
}

const fontkit = createRequire(import.meta.url)('fontkit') as { create(bytes: Buffer): FontFile & GlyphCache };

/**
 * Opens a font. fontkit keeps one object for each glyph with the characters that it stood for the first time; a glyph
 * may stand for others later (a dotless Arabic letter), so here every use gets an object of its own.
 */
export function parseFont(bytes: Buffer): FontFile {
  const font = fontkit.create(bytes);
  const getGlyph = font.getGlyph.bind(font);
  font.getGlyph = (id, codePoints) => {
    font._glyphs[id] = undefined;
    return getGlyph(id, codePoints);
  };
  return font;
}
