import { readFileSync } from 'node:fs';
import { type FontFile, type ShapedGlyphs, parseFont } from './fontkit.js';
import type { ListedFont } from './font-list.js';

/** A glyph with its place in a run, in thousandths of the font size. */
export interface SetGlyph {
  readonly id: number;
  /** The width in the font file. */
  readonly width: number;
  /** The way to the next glyph. */
  readonly advance: number;
  readonly dx: number;
  readonly dy: number;
  readonly codePoints: number[];
}

/** No ligature ever stands for two letters of a text: the fixed strings must be found as they are. */
const FEATURES = { liga: false, clig: false, dlig: false, hlig: false };
const CACHED_RUNS = 5_000;
const LONGEST_CACHED = 64;

/** An open font file. It outlives the documents that use it, with the glyphs looked up so far. */
export class FontFace {
  private readonly glyphs = new Map<number, SetGlyph | null>();
  private readonly runs = new Map<string, readonly SetGlyph[]>();
  private readonly scale: number;

  private constructor(
    readonly name: string,
    readonly bytes: Buffer,
    readonly file: FontFile,
  ) {
    this.scale = 1000 / file.unitsPerEm;
  }

  static open(listed: ListedFont): FontFace {
    const bytes = readFileSync(listed.file);
    return new FontFace(listed.name, bytes, parseFont(bytes));
  }

  /** Thousandths of the font size. */
  get ascent(): number {
    return this.file.ascent * this.scale;
  }

  get descent(): number {
    return this.file.descent * this.scale;
  }

  /** The glyph of a code point without any shaping; null when the font has none. */
  glyph(codePoint: number): SetGlyph | null {
    const known = this.glyphs.get(codePoint);
    if (known !== undefined) return known;
    const found = this.file.hasGlyphForCodePoint(codePoint) ? this.load(codePoint) : null;
    this.glyphs.set(codePoint, found);
    return found;
  }

  /** The glyphs of a text in the order in which they stand on the page, joined, marked and kerned as the script asks. */
  shape(text: string, rightToLeft: boolean): readonly SetGlyph[] {
    const key = `${rightToLeft ? 'r' : 'l'}${text}`;
    const known = this.runs.get(key);
    if (known) return known;
    const glyphs = this.layOut(text, rightToLeft) ?? this.unshaped(text, rightToLeft);
    if (text.length <= LONGEST_CACHED) {
      if (this.runs.size >= CACHED_RUNS) this.runs.clear();
      this.runs.set(key, glyphs);
    }
    return glyphs;
  }

  /** The shaper writes into the features it is given, and fails on an anchor that a font leaves out: null. */
  private layOut(text: string, rightToLeft: boolean): readonly SetGlyph[] | null {
    let run: ShapedGlyphs;
    try {
      run = this.file.layout(text, { ...FEATURES }, undefined, undefined, rightToLeft ? 'rtl' : 'ltr');
    } catch {
      return null;
    }
    return run.glyphs.map((glyph, index) => {
      const place = run.positions[index];
      return {
        id: glyph.id,
        width: glyph.advanceWidth * this.scale,
        advance: (place?.xAdvance ?? glyph.advanceWidth) * this.scale,
        dx: (place?.xOffset ?? 0) * this.scale,
        dy: (place?.yOffset ?? 0) * this.scale,
        codePoints: glyph.codePoints,
      };
    });
  }

  private unshaped(text: string, rightToLeft: boolean): readonly SetGlyph[] {
    const glyphs = [...text].flatMap((character) => this.glyph(character.codePointAt(0) as number) ?? []);
    return rightToLeft ? glyphs.reverse() : glyphs;
  }

  private load(codePoint: number): SetGlyph {
    const { id, advanceWidth } = this.file.glyphForCodePoint(codePoint);
    const width = advanceWidth * this.scale;
    return { id, width, advance: width, dx: 0, dy: 0, codePoints: [codePoint] };
  }
}
