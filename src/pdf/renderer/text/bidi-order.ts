import type { Bidi } from 'bidi-js';
import { createRequire } from 'node:module';
import { type GlyphRun, segmentText, type TextFont } from './segment-text.js';

const bidi = (createRequire(import.meta.url)('bidi-js') as () => Bidi)();

/** Returns the embedding levels of a paragraph, and whether its first strong letter makes it right-to-left. */
export function embeddingLevels(paragraph: string): { levels: Uint8Array; rightToLeft: boolean } {
  const { levels, paragraphs } = bidi.getEmbeddingLevels(paragraph, 'auto');
  return { levels, rightToLeft: (paragraphs[0]?.level ?? 0) % 2 === 1 };
}

/**
 * Returns the glyph runs of a line of mixed direction in visual order (rule L2 of the Unicode bidirectional algorithm), with
 * mirrored brackets.
 */
export function orderedRuns(line: string, levels: Uint8Array, font: TextFont): GlyphRun[] {
  const stretches: { level: number; text: string }[] = [];
  let start = 0;
  for (let end = 1; end <= line.length; end += 1) {
    if (end < line.length && levels[end] === levels[start]) continue;
    stretches.push({ level: levels[start] ?? 0, text: line.slice(start, end) });
    start = end;
  }
  const highest = stretches.reduce((level, stretch) => Math.max(level, stretch.level), 0);
  for (let level = highest; level > 0; level -= 1) reverseFrom(stretches, level);
  return stretches.flatMap(({ level, text }) => segmentText(text, font, level % 2 === 1, mirror));
}

/** Reverses each sequence of neighbours at this level or above. */
function reverseFrom(stretches: { level: number; text: string }[], level: number): void {
  for (let first = 0; first < stretches.length; first += 1) {
    let last = first;
    while (last < stretches.length && (stretches[last]?.level ?? 0) >= level) last += 1;
    if (last > first) stretches.splice(first, last - first, ...stretches.slice(first, last).reverse());
    first = last;
  }
}

const mirror = (character: string): string => bidi.getMirroredCharacter(character) ?? character;
