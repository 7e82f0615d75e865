import { normalForm } from '../../../common/texts/normal-form.js';

/** Properties of single characters for the type setter. All tests are on code points. */

const within = (ranges: readonly (readonly [number, number])[], codePoint: number): boolean =>
  ranges.some(([first, last]) => codePoint >= first && codePoint <= last);

/** Scripts whose letters join, stack or reorder, and marks: these go through the shaper. */
const SHAPED: readonly (readonly [number, number])[] = [
  [0x300, 0x36f],
  [0x483, 0x489],
  [0x590, 0x5cf],
  [0x600, 0x1cff],
  [0x1dc0, 0x1dff],
  [0x200c, 0x200d],
  [0x20d0, 0x20ff],
  [0xa8e0, 0xabff],
  [0xfb1d, 0xfdff],
  [0xfe00, 0xfe0f],
  [0xfe20, 0xfe2f],
  [0xfe70, 0xfefc],
];
/** Marks and joiners take the font of the character before them. */
const EXTENDING: readonly (readonly [number, number])[] = [
  [0x300, 0x36f],
  [0x200c, 0x200d],
  [0x20d0, 0x20ff],
  [0xfe00, 0xfe0f],
  [0xfe20, 0xfe2f],
];
/** Characters that draw nothing of their own; a keycap alone would stand over its neighbours. */
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
export const isExtending = (codePoint: number): boolean => codePoint >= 0x300 && within(EXTENDING, codePoint);
export const isInvisible = (codePoint: number): boolean => codePoint >= 0xad && within(INVISIBLE, codePoint);
/** After an ideograph a line may end anywhere. */
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

/** Controls that turn letters round against the direction of their own script. */
const OVERRIDES = /[\u202d\u202e]/g;

/** A text whose letters stand in the order in which they were written: nothing in evidence reads as another word. */
export const withoutOverrides = (text: string): string => text.replace(OVERRIDES, '');

/** The form of a text that is drawn: composed, so that one glyph stands for a letter with its mark. */
export const drawnText = (text: string): string => withoutOverrides(normalForm(text, 'NFC'));
