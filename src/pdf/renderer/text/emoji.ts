import type { FontFace, SetGlyph } from './font-face.js';
import type { FontLibrary } from './font-library.js';
import { COMMON } from './scripts.js';

/**
 * A flag, a keycap or a pictograph without the text selector, with its modifiers (UTS #51). Never longer than the runs that
 * the font caches.
 */
const EMOJI = String.raw`(?:\p{RI}{2}|[0-9#*]\ufe0f?\u20e3|\p{Extended_Pictographic}(?!\ufe0e))[\ufe0f\u20e3\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e007f}]{0,30}`;
const SEQUENCES = new RegExp(`${EMOJI}(?:\\u200d${EMOJI}){0,9}`, 'gu');
/** The code units of which an emoji of more than one character has at least one. */
const MAY_HOLD_SEQUENCES = /[\u200d\u20e3\ufe0f\ud83c\udb40]/;
const TONES = /[\u{1f3fb}-\u{1f3ff}]/gu;

/**
 * Splits a text into units that are set as one: emoji of several characters for which the font has one picture, else single
 * characters. Joined emoji without a common picture are split into one unit each, with its joiner.
 */
export function unitsOf(text: string, library: FontLibrary): Iterable<string> {
  return MAY_HOLD_SEQUENCES.test(text) ? sequenceUnits(text, library.emoji) : text;
}

function* sequenceUnits(text: string, face: FontFace): Generator<string, void> {
  let end = 0;
  for (const { 0: sequence, index } of text.matchAll(SEQUENCES)) {
    yield* text.slice(end, index);
    if (joined(sequence, face)) yield sequence;
    else yield* sequence.split(/(?<=\u200d)/);
    end = index + sequence.length;
  }
  yield* text.slice(end);
}

export const isSequence = (unit: string): boolean =>
  unit.length > ((unit.codePointAt(0) as number) > 0xffff ? 2 : 1);

/**
 * Returns the picture of an emoji of several characters, without its tone, tags or selector if the font has no picture with
 * them. Undefined if the font does not have its first character.
 */
export function pictureOf(sequence: string, { emoji: face }: FontLibrary): SetGlyph | undefined {
  if (!face.glyph(sequence.codePointAt(0) as number)) return undefined;
  return joined(sequence, face) ?? shape(sequence, face)[0];
}

/** Returns the one glyph of a whole sequence, without tones if necessary. */
function joined(sequence: string, face: FontFace): SetGlyph | undefined {
  const plain = sequence.replaceAll(TONES, '');
  return onlyGlyph(sequence, face) ?? (plain === sequence ? undefined : onlyGlyph(plain, face));
}

function onlyGlyph(sequence: string, face: FontFace): SetGlyph | undefined {
  const [glyph, ...others] = shape(sequence, face).filter(({ advance }) => advance > 0);
  return others.length === 0 ? glyph : undefined;
}

/** Shapes a sequence without selectors, which the font's sequences do not have. */
const shape = (sequence: string, face: FontFace): readonly SetGlyph[] =>
  face.shape(sequence.replaceAll('\ufe0f', ''), { rightToLeft: false, script: COMMON });
