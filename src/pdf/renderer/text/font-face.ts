import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ListedFont } from './font-list.js';
import { openShapedFont, type ShapedGlyph, type ShapeText, type Shaping } from './harfbuzz.js';

/** A glyph with its position in a run, in thousandths of the font size. */
export interface SetGlyph {
  readonly id: number;
  /** The width in the font file. */
  readonly width: number;
  /** The distance to the next glyph. */
  readonly advance: number;
  readonly dx: number;
  readonly dy: number;
  /** The characters that the glyph represents; empty if they are listed with another glyph of the same letter. */
  readonly codePoints: number[];
}

/** The part of fontkit that is used here. The package has no types. */
interface FontFile {
  readonly unitsPerEm: number;
  hasGlyphForCodePoint(codePoint: number): boolean;
  glyphForCodePoint(codePoint: number): { readonly id: number; readonly advanceWidth: number };
}

const fontkit = createRequire(import.meta.url)('fontkit') as { create(bytes: Buffer): FontFile };

const CACHED_RUNS = 5_000;
const LONGEST_CACHED = 64;

/** An open font file, which outlives the documents that use it and caches glyphs and runs. */
export class FontFace {
  private readonly glyphs = new Map<number, SetGlyph | null>();
  private readonly runs = new Map<string, readonly SetGlyph[]>();
  private readonly scale: number;
  private shapeText: ShapeText | undefined;

  private constructor(
    readonly name: string,
    readonly bytes: Buffer,
    readonly file: FontFile,
  ) {
    this.scale = 1000 / file.unitsPerEm;
  }

  static open(listed: ListedFont): FontFace {
    const bytes = readFileSync(listed.file);
    return new FontFace(listed.name, bytes, fontkit.create(bytes));
  }

  /** Returns the unshaped glyph of a code point; null if the font has none. */
  glyph(codePoint: number): SetGlyph | null {
    const known = this.glyphs.get(codePoint);
    if (known !== undefined) return known;
    const found = this.file.hasGlyphForCodePoint(codePoint) ? this.load(codePoint) : null;
    this.glyphs.set(codePoint, found);
    return found;
  }

  /**
   * Returns the glyphs of a text of one script in visual order: joined, marked, kerned and, from right to left, mirrored by
   * HarfBuzz.
   */
  shape(text: string, shaping: Shaping): readonly SetGlyph[] {
    const key = `${shaping.rightToLeft ? 'r' : 'l'}${text}`;
    const known = this.runs.get(key);
    if (known) return known;
    const glyphs = this.layOut(text, shaping);
    if (text.length <= LONGEST_CACHED) {
      if (this.runs.size >= CACHED_RUNS) this.runs.clear();
      this.runs.set(key, glyphs);
    }
    return glyphs;
  }

  private layOut(text: string, shaping: Shaping): readonly SetGlyph[] {
    this.shapeText ??= openShapedFont(this.bytes);
    const shaped = this.shapeText(text, shaping);
    const characters = charactersOf(text, shaped, shaping.rightToLeft);
    return shaped.map(({ id, width, advance, dx, dy }, index) => ({
      id,
      width: width * this.scale,
      advance: advance * this.scale,
      dx: dx * this.scale,
      dy: dy * this.scale,
      codePoints: characters[index]!,
    }));
  }

  private load(codePoint: number): SetGlyph {
    const { id, advanceWidth } = this.file.glyphForCodePoint(codePoint);
    const width = advanceWidth * this.scale;
    return { id, width, advance: width, dx: 0, dy: 0, codePoints: [codePoint] };
  }
}

/** Returns the characters of each glyph. Those of a cluster belong to the glyph that is read first. */
function charactersOf(text: string, shaped: readonly ShapedGlyph[], rightToLeft: boolean): number[][] {
  const characters: number[][] = shaped.map(() => []);
  let end = text.length;
  for (let place = shaped.length - 1; place >= 0; place -= 1) {
    // Reading backwards: the visual order is the reading order, or its reverse.
    const index = rightToLeft ? shaped.length - 1 - place : place;
    const before = shaped[rightToLeft ? index + 1 : index - 1];
    const { cluster } = shaped[index]!;
    if (before?.cluster === cluster) continue;
    const start = before === undefined ? 0 : cluster;
    characters[index] = Array.from(text.slice(start, end), (character) => character.codePointAt(0)!);
    end = start;
  }
  return characters;
}
