import { normalForm } from '../../../common/texts/normal-form.js';
import type { Warning } from '../../../common/warnings.js';
import type { Weight } from '../../templates/definition.js';
import { FontFace, type SetGlyph } from './font-face.js';
import { EMOJI, FONTS, type ListedFont } from './font-list.js';

const REPLACEMENT = 0xfffd;
const WHITE_SQUARE = 0x25a1;
/** The most characters without a glyph that are recorded for a document. */
const MOST_GAPS = 1_000;

/** Opens fonts on first use, and chooses the font of each character. */
export class FontLibrary {
  private readonly faces = new Map<string, FontFace>();
  private readonly choices: Record<Weight, Map<number, FontFace | null>> = {
    regular: new Map(),
    semibold: new Map(),
  };

  /** Characters that were drawn as gaps since the set was last cleared. */
  readonly gaps = new Set<number>();

  base(weight: Weight): FontFace {
    const [first] = FONTS[weight];
    return this.open(first as ListedFont);
  }

  get emoji(): FontFace {
    return this.open(EMOJI);
  }

  /** Returns the first font of the list that has the character, or null. */
  faceFor(codePoint: number, weight: Weight): FontFace | null {
    const choices = this.choices[weight];
    let face = choices.get(codePoint);
    if (face === undefined) {
      face = this.faceForAll([codePoint], weight);
      choices.set(codePoint, face);
    }
    return face;
  }

  /** Returns the first font of the list that has all of these characters, or null. */
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
   * Returns the letters that a compatibility character represents (`𝔘` → `U`), if no font has the character itself and fonts
   * have all of the letters.
   */
  lettersFor(codePoint: number, weight: Weight): readonly number[] | undefined {
    if (codePoint < 0xa0 || this.faceFor(codePoint, weight)) return undefined;
    const plain = normalForm(String.fromCodePoint(codePoint), 'NFKC');
    const letters = [...plain].map((letter) => letter.codePointAt(0) as number);
    return letters.every((letter) => letter !== codePoint && this.faceFor(letter, weight))
      ? letters
      : undefined;
  }

  /** Returns the framed gap for a character that no font has. It reads as the replacement character. */
  replacement(weight: Weight): { face: FontFace; glyph: SetGlyph } {
    const face = this.faceFor(WHITE_SQUARE, weight);
    const glyph = face?.glyph(WHITE_SQUARE);
    if (!face || !glyph) throw new Error('None of the fonts has the frame of a gap.');
    return { face, glyph: { ...glyph, codePoints: [REPLACEMENT] } };
  }

  /** Records a character that is drawn as a gap. */
  noteGap(codePoint: number): void {
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

/** Returns the warning that names the characters drawn as gaps, if any (contract section 6, rule 11). */
export function unprintableCharacters(gaps: ReadonlySet<number>): Warning[] {
  if (gaps.size === 0) return [];
  const names = [...gaps].slice(0, MOST_NAMED).map(characterName).join(', ');
  const more = gaps.size > MOST_NAMED ? ` and ${gaps.size - MOST_NAMED} more` : '';
  const message = `No font has ${names}${more}: each prints as a framed gap.`;
  return [{ code: 'unprintable_characters', message }];
}

/** Returns `U+10D0 "ა"`, or the number alone for a control character. */
function characterName(codePoint: number): string {
  const number = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
  const character = String.fromCodePoint(codePoint);
  return /[\p{C}\p{Z}]/u.test(character) ? number : `${number} "${character}"`;
}
