import { normalForm } from '../../../common/texts/normal-form.js';

const within = (ranges: readonly (readonly [number, number])[], codePoint: number): boolean =>
  ranges.some(([first, last]) => codePoint >= first && codePoint <= last);

/** Scripts whose letters join, stack or reorder, and marks: these need the shaper. */
const SHAPED: readonly (readonly [number, number])[] = [
  [0x300, 0x36f],
  [0x483, 0x489],
  [0x590, 0x5cf],
  [0x600, 0x1cff],
  [0x1dc0, 0x1dff],
  [0x200c, 0x200d],
  [0x20d0, 0x20ff],
  [0x2de0, 0x2dff],
  [0x302a, 0x302f],
  [0x3099, 0x309a],
  [0xa66f, 0xa67d],
  [0xa8e0, 0xabff],
  [0xfb1d, 0xfdff],
  [0xfe00, 0xfe0f],
  [0xfe20, 0xfe2f],
  [0xfe70, 0xfefc],
];
/** Characters that draw nothing by themselves; a keycap alone would overlap its neighbours. */
const INVISIBLE: readonly (readonly [number, number])[] = [
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x20e3, 0x20e3],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xe0000, 0xe0fff],
];
const IDEOGRAPHS: readonly (readonly [number, number])[] = [
  [0x2e80, 0x2fff],
  [0x3040, 0x31ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xf900, 0xfaff],
  [0x20000, 0x3ffff],
];

export const isShaped = (codePoint: number): boolean => codePoint >= 0x300 && within(SHAPED, codePoint);

/** Marks of every script, joiners, and the vowel signs of Thai and Lao that Unicode counts among the letters. */
const EXTENDING = /[\p{M}\u200c\u200d\u0e33\u0eb3]/u;
export const isExtending = (codePoint: number): boolean =>
  codePoint >= 0x300 && remembered(extending, codePoint, (character) => EXTENDING.test(character));

/** Cached results by character: 0 unknown, 1 no, 2 yes. */
const extending = new Uint8Array(0x110000);

function remembered(known: Uint8Array, codePoint: number, test: (character: string) => boolean): boolean {
  if (known[codePoint] === 0) known[codePoint] = test(String.fromCodePoint(codePoint)) ? 2 : 1;
  return known[codePoint] === 2;
}

/** Marks on letters that need no shaper by themselves. A text with one of them is shaped as a whole. */
const ACCENTS =
  /[\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u2de0-\u2dff\u302a-\u302f\u3099\u309a\ufe20-\ufe2f]/;
export const hasAccents = (text: string): boolean => ACCENTS.test(text);

/** Vowels before their consonant, and signs that join two consonants: these stay with the next letter. */
const LEADING = /[\p{Logical_Order_Exception}\u094d\u09cd\u0a4d\u0acd\u0bcd]/u;
/** Returns true if two neighbours are in one syllable, which is never broken. */
export const staysTogether = (before: number, after: number): boolean =>
  (after >= 0x300 && isExtending(after)) ||
  (before >= 0x94d && remembered(leading, before, (character) => LEADING.test(character)));
const leading = new Uint8Array(0x110000);
export const isInvisible = (codePoint: number): boolean => codePoint >= 0xad && within(INVISIBLE, codePoint);
/** Returns true for an ideograph, after which a line may end. */
export const isIdeograph = (codePoint: number): boolean =>
  codePoint >= 0x2e80 && within(IDEOGRAPHS, codePoint);
export const isBlank = (codePoint: number): boolean =>
  codePoint === 0x20 ||
  codePoint === 0x09 ||
  (codePoint >= 0x2000 && codePoint <= 0x200a) ||
  codePoint === 0x3000;

const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
export const hasRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text);

/** Controls that override the direction of letters. */
const OVERRIDES = /[\u202d\u202e]/g;

/** Removes overrides of direction, so that no printed word reads differently from the recorded one. */
export const withoutOverrides = (text: string): string => text.replace(OVERRIDES, '');

/**
 * Returns the form of a text that is drawn: composed, so that a letter with its mark is one glyph, and with blanks for a
 * tab, of which no font has a glyph.
 */
export const drawnText = (text: string): string =>
  withoutOverrides(normalForm(text, 'NFC')).replaceAll('\t', '    ');
