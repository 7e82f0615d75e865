import { normalForm } from '../../../common/texts/normal-form.js';
import type { Warning } from '../../../common/warnings.js';
import type { Weight } from '../../templates/definition.js';
import { FontFace, type SetGlyph } from './font-face.js';
import { EMOJI, FONTS, type ListedFont } from './font-list.js';

const REPLACEMENT = 0xfffd;
const WHITE_SQUARE = 0x25a1;
/** Characters without a glyph that are remembered of a document. */
const MOST_GAPS = 1_000;

/** Opens fonts when a text first needs them, and knows which font sets which character. */
export class FontLibrary {
  private readonly faces = new Map<string, FontFace>();
  private readonly choices: Record<Weight, Map<number, FontFace | null>> = {
    regular: new Map(),
    semibold: new Map(),
  };

  /** Characters that were drawn as gaps since this was last emptied. */
  readonly gaps = new Set<number>();

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
      face = this.faceForAll([codePoint], weight);
      choices.set(codePoint, face);
    }
    return face;
  }

  /** The first font of the list that has all of these characters; null when none has. */
  faceForAll(codePoints: readonly number[], weight: Weight): FontFace | null {
    const faces = FONTS[weight].filter((listed) =>
      codePoints.every((codePoint) => isListed(listed, codePoint)),
    );
    for (const listed of faces) {
      const face = this.open(listed);
      if (codePoints.every((codePoint) => face.file.hasGlyphForCodePoint(codePoint))) return face;
    }
    return null;
  }

  /**
   * The letters that a compatibility character stands for (`𝔘` → `U`), where no font has the character itself and fonts
   * have all of them; else undefined.
   */
  lettersFor(codePoint: number, weight: Weight): readonly number[] | undefined {
    if (codePoint < 0xa0 || this.faceFor(codePoint, weight)) return undefined;
    const plain = normalForm(String.fromCodePoint(codePoint), 'NFKC');
    const letters = [...plain].map((letter) => letter.codePointAt(0) as number);
    return letters.every((letter) => letter !== codePoint && this.faceFor(letter, weight))
      ? letters
      : undefined;
  }

  /** The framed gap that stands for a character which no font has; it reads as the replacement character. */
  replacement(weight: Weight): { face: FontFace; glyph: SetGlyph } {
    const face = this.faceFor(WHITE_SQUARE, weight);
    const glyph = face?.glyph(WHITE_SQUARE);
    if (!face || !glyph) throw new Error('None of the fonts has the frame of a gap.');
    return { face, glyph: { ...glyph, codePoints: [REPLACEMENT] } };
  }

  /** Remembers a character that is drawn as a gap. */
  tellGap(codePoint: number): void {
    if (this.gaps.size < MOST_GAPS) this.gaps.add(codePoint);
  }

  private open(listed: ListedFont): FontFace {
    let face = this.faces.get(listed.name);
    if (!face) this.faces.set(listed.name, (face = FontFace.open(listed)));
    return face;
  }
}

const isListed = ({ ranges }: ListedFont, codePoint: number): boolean =>
  ranges.some(([first, last]) => codePoint >= first && codePoint <= last);

const MOST_NAMED = 20;

/** The warning that names the characters which were drawn as gaps; none where none was (contract section 6, rule 11). */
export function unprintableCharacters(gaps: ReadonlySet<number>): Warning[] {
  if (gaps.size === 0) return [];
  const names = [...gaps].slice(0, MOST_NAMED).map(nameOf).join(', ');
  const more = gaps.size > MOST_NAMED ? ` and ${gaps.size - MOST_NAMED} more` : '';
  const message = `No font has ${names}${more}: each prints as a framed gap.`;
  return [{ code: 'unprintable_characters', message }];
}

/** `U+10D0 "ა"`; a control is named by its number alone. */
function nameOf(codePoint: number): string {
  const number = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
  const character = String.fromCodePoint(codePoint);
  return /[\p{C}\p{Z}]/u.test(character) ? number : `${number} "${character}"`;
}
