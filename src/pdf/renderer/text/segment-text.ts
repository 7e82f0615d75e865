import type { Weight } from '../../templates/definition.js';
import { hasAccents, isExtending, isInvisible, isShaped, staysTogether } from './characters.js';
import { isSequence, pictureOf, unitsOf } from './emoji.js';
import type { FontFace, SetGlyph } from './font-face.js';
import type { FontLibrary } from './font-library.js';
import { languageOf } from './languages.js';
import { COMMON, runsRightToLeft, scriptOf } from './scripts.js';

/** Adjacent glyphs of one font; the width is in thousandths of the font size. */
export interface GlyphRun {
  readonly face: FontFace;
  readonly glyphs: SetGlyph[];
  width: number;
  /** The characters in reading order, if the glyphs do not show them: shaped left-to-right scripts, emoji. */
  actual?: string;
  /** The language that the script of its letters implies (BCP 47). */
  language?: string;
}

export interface TextFont {
  readonly library: FontLibrary;
  readonly weight: Weight;
  readonly kern: boolean;
  /** Set for a text with kana, whose Chinese characters are Japanese. */
  readonly japanese?: true;
}

/** The most characters that are shaped at once. A longer stretch is split, between syllables if possible. */
const LONGEST_SHAPED = 256;
const LONGEST_SYLLABLE = 256;

/**
 * Returns the glyph runs of a text of one direction in visual order. A character that no font has prints as the letters that
 * it represents or, like a control character, as a framed gap. Invisible format characters, and parts of an emoji that no
 * picture shows, print nothing. `mirror` returns the mirrored form of signs that are set from right to left.
 */
export function segmentText(
  text: string,
  font: TextFont,
  rightToLeft = false,
  mirror: (character: string) => string = (character) => character,
): GlyphRun[] {
  const { library, weight } = font;
  const collector = new RunCollector(hasAccents(text) ? { ...font, kern: true } : font, rightToLeft, mirror);
  for (const unit of unitsOf(text, library)) {
    const sequence = isSequence(unit);
    if (sequence && collector.addPicture(unit)) continue;
    const codePoint = unit.codePointAt(0) as number;
    const letters = library.lettersFor(codePoint, weight);
    if (!letters) collector.add(codePoint);
    else for (const letter of letters) collector.add(letter);
  }
  return collector.finish();
}

/** A stretch of one script in one font, as it grows. */
interface ShapedStretch {
  readonly face: FontFace;
  text: string;
  count: number;
  /** The offset of the letter to which the next mark belongs. */
  letterAt: number;
  last: number;
  script: string;
  language: string | undefined;
  /** Set if the glyphs may differ from the characters in number or order. */
  needsActual: boolean;
}

class RunCollector {
  private readonly runs: GlyphRun[] = [];
  private direct: GlyphRun | undefined;
  private stretch: ShapedStretch | undefined;

  constructor(
    private readonly font: TextFont,
    private readonly rightToLeft: boolean,
    private readonly mirror: (character: string) => string,
  ) {}

  /** Adds the picture of an emoji of several characters. Returns false if there is none. */
  addPicture(sequence: string): boolean {
    const { library } = this.font;
    const glyph = pictureOf(sequence, library);
    if (!glyph) return false;
    this.flushShaped();
    this.direct = undefined;
    this.runs.push({ face: library.emoji, glyphs: [glyph], width: glyph.advance, actual: sequence });
    return true;
  }

  add(codePoint: number): void {
    if (isExtending(codePoint) && this.extend(codePoint)) return;
    if (isInvisible(codePoint)) return;
    const { library, weight, kern } = this.font;
    const isControl = codePoint < 0x20 || (codePoint >= 0x7f && codePoint < 0xa0);
    const face = isControl ? null : library.faceFor(codePoint, weight);
    if (!face) {
      library.noteGap(codePoint);
      const gap = library.replacement(weight);
      this.addDirect(gap.face, gap.glyph, codePoint);
    } else if (kern || isShaped(codePoint)) this.addShaped(codePoint, face);
    else this.addDirect(face, this.glyphFor(codePoint, face), codePoint);
  }

  finish(): GlyphRun[] {
    this.flushShaped();
    return this.rightToLeft ? this.runs.reverse() : this.runs;
  }

  /** Adds a mark or joiner to the letter before it, in a font that has both. Returns false if it stands alone. */
  private extend(codePoint: number): boolean {
    const { stretch } = this;
    if (!stretch) return false;
    if (stretch.face.glyph(codePoint)) return this.append(stretch, codePoint);
    if (isInvisible(codePoint)) return false;
    const { library, weight } = this.font;
    const letter = [...stretch.text.slice(stretch.letterAt)].map((character) => character.codePointAt(0)!);
    const face = letter.length < LONGEST_SYLLABLE && library.faceForAll([...letter, codePoint], weight);
    if (!face) return false;
    stretch.text = stretch.text.slice(0, stretch.letterAt);
    for (const character of letter) this.addShaped(character, face);
    return this.append(this.stretch!, codePoint);
  }

  private append(stretch: ShapedStretch, codePoint: number): boolean {
    if (isFull(stretch, codePoint)) return false;
    stretch.text += String.fromCodePoint(codePoint);
    stretch.count += 1;
    stretch.last = codePoint;
    if (!this.rightToLeft) stretch.needsActual ||= isShaped(codePoint);
    return true;
  }

  private addShaped(codePoint: number, face: FontFace): void {
    const script = scriptOf(codePoint);
    let { stretch } = this;
    if (
      !stretch ||
      stretch.face !== face ||
      !mayFollow(script, stretch.script) ||
      isFull(stretch, codePoint)
    ) {
      this.flushShaped();
      const empty = { language: undefined, needsActual: false, text: '', count: 0, letterAt: 0, last: 0 };
      this.stretch = stretch = { face, script, ...empty };
      this.direct = undefined;
    }
    if (!isExtending(codePoint)) stretch.letterAt = stretch.text.length;
    if (stretch.script === COMMON) stretch.script = script;
    stretch.language ??= this.languageOf(codePoint);
    this.append(stretch, codePoint);
  }

  private languageOf(codePoint: number): string | undefined {
    const language = languageOf(codePoint);
    return language === 'zh' && this.font.japanese ? 'ja' : language;
  }

  /** Adds an unshaped glyph. Signs and blanks of no script join the run of the letters before them. */
  private addDirect(face: FontFace, glyph: SetGlyph, codePoint: number): void {
    this.flushShaped();
    const language = this.languageOf(codePoint);
    const changes = language !== this.direct?.language && (language !== undefined || isLetter(codePoint));
    if (this.direct?.face !== face || changes) {
      this.direct = { face, glyphs: [], width: 0, ...(language === undefined ? {} : { language }) };
      this.runs.push(this.direct);
    }
    if (this.rightToLeft) this.direct.glyphs.unshift(glyph);
    else this.direct.glyphs.push(glyph);
    this.direct.width += glyph.advance;
  }

  /** Returns the glyph of the mirrored bracket, with the character that was sent. */
  private glyphFor(codePoint: number, face: FontFace): SetGlyph {
    const own = face.glyph(codePoint)!;
    if (!this.rightToLeft) return own;
    const other = this.mirror(String.fromCodePoint(codePoint)).codePointAt(0)!;
    const mirrored = other === codePoint ? null : face.glyph(other);
    return mirrored ? { ...mirrored, codePoints: [codePoint] } : own;
  }

  private flushShaped(): void {
    const { stretch } = this;
    this.stretch = undefined;
    if (!stretch || stretch.text === '') return;
    const { face, text, script, language, needsActual } = stretch;
    const rightToLeft = this.rightToLeft || runsRightToLeft(script);
    const glyphs = [...face.shape(text, { rightToLeft, script })];
    const width = glyphs.reduce((sum, { advance }) => sum + advance, 0);
    const actual = needsActual ? { actual: text } : {};
    this.runs.push({ face, glyphs, width, ...actual, ...(language === undefined ? {} : { language }) });
    this.direct = undefined;
  }
}

const isFull = ({ count, last }: ShapedStretch, next: number): boolean =>
  count >= LONGEST_SHAPED && (count >= LONGEST_SHAPED + LONGEST_SYLLABLE || !staysTogether(last, next));

const mayFollow = (script: string, before: string): boolean =>
  script === before || script === COMMON || before === COMMON;

/** Returns true for a Latin letter and for any character that may be a letter of another script. */
const isLetter = (codePoint: number): boolean =>
  (codePoint >= 0x41 && codePoint <= 0x5a) || (codePoint >= 0x61 && codePoint <= 0x7a) || codePoint >= 0xaa;
