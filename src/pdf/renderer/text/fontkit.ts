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
  ): GlyphRun;
}

export interface FontGlyph {
  readonly id: number;
  readonly advanceWidth: number;
  readonly codePoints: number[];
}

export interface GlyphRun {
  readonly glyphs: readonly FontGlyph[];
  readonly positions: readonly {
    readonly xAdvance: number;
    readonly xOffset: number;
    readonly yOffset: number;
  }[];
}

const fontkit = createRequire(import.meta.url)('fontkit') as { create(bytes: Buffer): FontFile };

export const parseFont = (bytes: Buffer): FontFile => fontkit.create(bytes);
