import type { Weight } from '../../templates/definition.js';
import { isExtending, isInvisible, isShaped } from './characters.js';
import type { FontFace, SetGlyph } from './font-face.js';
import type { FontLibrary } from './font-library.js';

/** Glyphs of one font that stand side by side; the width is in thousandths of the font size. */
export interface GlyphRun {
  readonly face: FontFace;
  readonly glyphs: SetGlyph[];
  width: number;
}

export interface TextFont {
  readonly library: FontLibrary;
  readonly weight: Weight;
  readonly kern: boolean;
}

/** Shaping is bounded: a longer stretch of one script without a blank is shaped in pieces. */
const LONGEST_SHAPED = 64;

/**
 * The glyph runs of a text of one direction, in the order in which they stand on the page. A character that no font
 * has, and a control character, prints the replacement mark; invisible format characters print nothing.
 */
export function segmentText(text: string, font: TextFont, rightToLeft = false): GlyphRun[] {
  const collector = new RunCollector(font, rightToLeft);
  for (const character of text) collector.add(character, character.codePointAt(0) as number);
  return collector.finish();
}

class RunCollector {
  private readonly runs: GlyphRun[] = [];
  private direct: GlyphRun | undefined;
  private shapedFace: FontFace | undefined;
  private shapedText = '';
  private shapedCount = 0;

  constructor(
    private readonly font: TextFont,
    private readonly rightToLeft: boolean,
  ) {}

  add(character: string, codePoint: number): void {
    if (isInvisible(codePoint) && !(this.shapedFace && isExtending(codePoint))) return;
    const { face, glyph } = this.resolve(codePoint);
    const shaped = glyph === undefined;
    if (shaped) this.addShaped(character, face);
    else this.addDirect(face, glyph);
  }

  finish(): GlyphRun[] {
    this.flushShaped();
    return this.rightToLeft ? this.runs.reverse() : this.runs;
  }

  private resolve(codePoint: number): { face: FontFace; glyph?: SetGlyph } {
    const { library, weight, kern } = this.font;
    const isControl = codePoint < 0x20 || (codePoint >= 0x7f && codePoint < 0xa0);
    if (isExtending(codePoint) && this.shapedFace?.glyph(codePoint)) return { face: this.shapedFace };
    const face = isControl ? null : library.faceFor(codePoint, weight);
    if (!face) {
      if (this.shapedFace && isExtending(codePoint)) return { face: this.shapedFace };
      return library.replacement(weight);
    }
    if (kern || isShaped(codePoint)) return { face };
    return { face, glyph: face.glyph(codePoint) as SetGlyph };
  }

  private addShaped(character: string, face: FontFace): void {
    if (face !== this.shapedFace || this.shapedCount >= LONGEST_SHAPED) {
      this.flushShaped();
      this.shapedFace = face;
    }
    this.shapedText += character;
    this.shapedCount += 1;
    this.direct = undefined;
  }

  private addDirect(face: FontFace, glyph: SetGlyph): void {
    this.flushShaped();
    if (this.direct?.face !== face) {
      this.direct = { face, glyphs: [], width: 0 };
      this.runs.push(this.direct);
    }
    if (this.rightToLeft) this.direct.glyphs.unshift(glyph);
    else this.direct.glyphs.push(glyph);
    this.direct.width += glyph.advance;
  }

  private flushShaped(): void {
    if (!this.shapedFace) return;
    const glyphs = [...this.shapedFace.shape(this.shapedText, this.rightToLeft)];
    let width = 0;
    for (const glyph of glyphs) width += glyph.advance;
    this.runs.push({ face: this.shapedFace, glyphs, width });
    this.shapedFace = undefined;
    this.shapedText = '';
    this.shapedCount = 0;
    this.direct = undefined;
  }
}
