import type { FontFace, SetGlyph } from './font-face.js';
import type { FontLibrary } from './font-library.js';
import { COMMON } from './scripts.js';

/**
 * A flag, a keycap or a pictograph that does not ask to be set as text, with whatever belongs to it (UTS #51): never
 * longer than what the font keeps of its shaping.
 */
const EMOJI = String.raw`(?:\p{RI}{2}|[0-9#*]\ufe0f?\u20e3|\p{Extended_Pictographic}(?!\ufe0e))[\ufe0f\u20e3\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e007f}]{0,30}`;
const SEQUENCES = new RegExp(`${EMOJI}(?:\\u200d${EMOJI}){0,9}`, 'gu');
/** Without one of these code units no text holds an emoji of more than one character. */
const MAY_HOLD_SEQUENCES = /[\u200d\u20e3\ufe0f\ud83c\udb40]/;
const TONES = /[\u{1f3fb}-\u{1f3ff}]/gu;

/**
 * A text in the units that are set as one: an emoji of several characters that the font has as one picture, else
 * character by character. Of joined emoji without a picture of their own each is a unit, with its joiner.
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
 * The picture of an emoji of several characters: without its tone, tags or selector where the font has none with them.
 * Undefined when the font does not even have its first character.
 */
export function pictureOf(sequence: string, { emoji: face }: FontLibrary): SetGlyph | undefined {
  if (!face.glyph(sequence.codePointAt(0) as number)) return undefined;
  return joined(sequence, face) ?? shape(sequence, face)[0];
}

/** The one glyph that a whole sequence is drawn by, if need be without tones. */
function joined(sequence: string, face: FontFace): SetGlyph | undefined {
  const plain = sequence.replaceAll(TONES, '');
  return onlyGlyph(sequence, face) ?? (plain === sequence ? undefined : onlyGlyph(plain, face));
}

function onlyGlyph(sequence: string, face: FontFace): SetGlyph | undefined {
  const [glyph, ...others] = shape(sequence, face).filter(({ advance }) => advance > 0);
  return others.length === 0 ? glyph : undefined;
}

/** The font has no glyph of the selector, and its sequences are without it. */
const shape = (sequence: string, face: FontFace): readonly SetGlyph[] =>
  face.shape(sequence.replaceAll('\ufe0f', ''), { rightToLeft: false, script: COMMON });
