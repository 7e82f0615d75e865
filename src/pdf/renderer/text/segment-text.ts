import type { Weight } from '../../templates/definition.js';
import { isExtending, isInvisible, isShaped } from './characters.js';
import { isSequence, pictureOf, unitsOf } from './emoji.js';
import type { FontFace, SetGlyph } from './font-face.js';
import type { FontLibrary } from './font-library.js';
import { languageOf } from './languages.js';

/** Glyphs of one font that stand side by side; the width is in thousandths of the font size. */
export interface GlyphRun {
  readonly face: FontFace;
  readonly glyphs: SetGlyph[];
  width: number;
  /** The characters in reading order, where the glyphs do not tell them: shaped left-to-right scripts, emoji. */
  actual?: string;
  /** The language that the script of its letters tells (BCP 47). */
  language?: string;
}

export interface TextFont {
  readonly library: FontLibrary;
  readonly weight: Weight;
  readonly kern: boolean;
  /** The text holds kana: its Chinese characters are Japanese. */
  readonly japanese?: true;
}

/** Shaping is bounded: a longer stretch of one script without a blank is shaped in pieces. */
const LONGEST_SHAPED = 64;

/**
 * The glyph runs of a text of one direction, in the order in which they stand on the page. A character that no font
 * has prints as the letters that it stands for, else, like a control character, as a framed gap; invisible format characters print nothing, and so do the
 * parts of an emoji that no picture shows.
 */
export function segmentText(
  text: string,
  font: TextFont,
  rightToLeft = false,
  mirror: (character: string) => string = (character) => character,
): GlyphRun[] {
  const collector = new RunCollector(font, rightToLeft);
  for (const unit of unitsOf(text, font.library)) {
    const sequence = isSequence(unit);
    if (sequence && collector.addPicture(unit)) continue;
    const character = sequence ? String.fromCodePoint(unit.codePointAt(0) as number) : unit;
    const drawn = (rightToLeft ? mirror(character) : character).codePointAt(0) as number;
    const letters = font.library.lettersFor(drawn, font.weight);
    if (!letters) collector.add(character, drawn);
    else for (const letter of letters) collector.add(String.fromCodePoint(letter), letter);
  }
  return collector.finish();
}

class RunCollector {
  private readonly runs: GlyphRun[] = [];
  private direct: GlyphRun | undefined;
  private shapedFace: FontFace | undefined;
  private shapedText = '';
  private shapedCount = 0;
  private shapedTells = false;
  private shapedLanguage: string | undefined;

  constructor(
    private readonly font: TextFont,
    private readonly rightToLeft: boolean,
  ) {}

  /** Whether there is a picture for this emoji of several characters. */
  addPicture(sequence: string): boolean {
    const { library } = this.font;
    const glyph = pictureOf(sequence, library);
    if (!glyph) return false;
    this.flushShaped();
    this.direct = undefined;
    this.runs.push({ face: library.emoji, glyphs: [glyph], width: glyph.advance, actual: sequence });
    return true;
  }

  add(character: string, codePoint: number): void {
    if (isInvisible(codePoint) && !(isExtending(codePoint) && this.shapedFace?.glyph(codePoint))) return;
    const { face, glyph } = this.resolve(codePoint);
    const shaped = glyph === undefined;
    if (shaped) this.addShaped(character, codePoint, face);
    else this.addDirect(face, glyph, character, codePoint);
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
      library.tellGap(codePoint);
      return library.replacement(weight);
    }
    if (kern || isShaped(codePoint)) return { face };
    return { face, glyph: face.glyph(codePoint) as SetGlyph };
  }

  private addShaped(character: string, codePoint: number, face: FontFace): void {
    if (face !== this.shapedFace || this.shapedCount >= LONGEST_SHAPED) {
      this.flushShaped();
      this.shapedFace = face;
    }
    this.shapedText += character;
    this.shapedCount += 1;
    this.shapedLanguage ??= this.languageOf(codePoint);
    this.shapedTells ||= !this.rightToLeft && isShaped(codePoint);
    this.direct = undefined;
  }

  private languageOf(codePoint: number): string | undefined {
    const language = languageOf(codePoint);
    return language === 'zh' && this.font.japanese ? 'ja' : language;
  }

  /** Signs and blanks of no script go with the letters before them. */
  private addDirect(face: FontFace, glyph: SetGlyph, character: string, codePoint: number): void {
    this.flushShaped();
    const language = this.languageOf(codePoint);
    const changes = language !== this.direct?.language && (language !== undefined || isLetter(codePoint));
    if (this.direct?.face !== face || changes) {
      this.direct = { face, glyphs: [], width: 0, ...(language === undefined ? {} : { language }) };
      this.runs.push(this.direct);
    }
    if (this.rightToLeft) this.direct.glyphs.unshift(standingFor(character, glyph));
    else this.direct.glyphs.push(glyph);
    this.direct.width += glyph.advance;
  }

  private flushShaped(): void {
    if (!this.shapedFace) return;
    const glyphs = [...this.shapedFace.shape(this.shapedText, this.rightToLeft)];
    let width = 0;
    for (const glyph of glyphs) width += glyph.advance;
    const actual = this.shapedTells ? { actual: this.shapedText } : {};
    const language = this.shapedLanguage === undefined ? {} : { language: this.shapedLanguage };
    this.runs.push({ face: this.shapedFace, glyphs, width, ...actual, ...language });
    this.shapedTells = false;
    this.shapedLanguage = undefined;
    this.shapedFace = undefined;
    this.shapedText = '';
    this.shapedCount = 0;
    this.direct = undefined;
  }
}

/** Whether a character below those that tell a language is a letter, or one above them may be one. */
const isLetter = (codePoint: number): boolean =>
  (codePoint >= 0x41 && codePoint <= 0x5a) || (codePoint >= 0x61 && codePoint <= 0x7a) || codePoint >= 0xaa;

/** A mirrored bracket is drawn by the other one's glyph, but it is still the character that was sent. */
function standingFor(character: string, glyph: SetGlyph): SetGlyph {
  const codePoint = character.codePointAt(0) as number;
  return glyph.codePoints[0] === codePoint ? glyph : { ...glyph, codePoints: [codePoint] };
}
