import type { Weight } from '../../templates/definition.js';
import { FontFace, type SetGlyph } from './font-face.js';
import { EMOJI, FONTS, type ListedFont } from './font-list.js';

const REPLACEMENT = 0xfffd;

/** Opens fonts when a text first needs them, and knows which font sets which character. */
export class FontLibrary {
  private readonly faces = new Map<string, FontFace>();
  private readonly choices: Record<Weight, Map<number, FontFace | null>> = {
    regular: new Map(),
    semibold: new Map(),
  };

  base(weight: Weight): FontFace {
    const [first] = FONTS[weight];
    return this.open(first as ListedFont);
  }

  get emoji(): FontFace {
    return this.open(EMOJI);
  }

  /** The first font of the list that has the character; null when none has. */
  faceFor(codePoint: number, weight: Weight): FontFace | null {
    const choices = this.choices[weight];
    let face = choices.get(codePoint);
    if (face === undefined) {
      face = this.choose(codePoint, weight);
      choices.set(codePoint, face);
    }
    return face;
  }

  /** The mark that stands for a character which no font has. */
  replacement(weight: Weight): { face: FontFace; glyph: SetGlyph } {
    const face = this.faceFor(REPLACEMENT, weight);
    const glyph = face?.glyph(REPLACEMENT);
    if (!face || !glyph) throw new Error('None of the fonts has the replacement mark.');
    return { face, glyph };
  }

  private choose(codePoint: number, weight: Weight): FontFace | null {
    for (const listed of FONTS[weight]) {
      if (!listed.ranges.some(([first, last]) => codePoint >= first && codePoint <= last)) continue;
      const face = this.open(listed);
      if (face.file.hasGlyphForCodePoint(codePoint)) return face;
    }
    return null;
  }

  private open(listed: ListedFont): FontFace {
    let face = this.faces.get(listed.name);
    if (!face) this.faces.set(listed.name, (face = FontFace.open(listed)));
    return face;
  }
}
