import type { SetText, TextStyle } from '../../templates/definition.js';
import { drawnText } from '../text/characters.js';
import type { FontLibrary } from '../text/font-library.js';
import { segmentText, type TextFont } from '../text/segment-text.js';
import { type SetLine, wrapText } from '../text/wrap-text.js';

/** The lines of a text in a width, wrapped as they are taken. */
export class SetLines {
  /** Points. */
  readonly size: number;
  /** True until the first line is taken. */
  first = true;
  private readonly ahead: SetLine[] = [];
  private readonly source: Iterator<SetLine, void>;

  constructor(library: FontLibrary, set: SetText, available: number) {
    const width = available - (set.lead?.width ?? 0) - (set.trail?.width ?? 0);
    const font = textFont(library, set.style);
    this.size = fittingSize(set, font, width);
    this.source = wrapText(set.value, font, (width * 1000) / this.size);
    this.lineHeight = this.size * set.style.lineHeight;
  }

  /** Points. */
  readonly lineHeight: number;

  /** Returns the number of lines that are left, or `most` if there are more. */
  left(most: number): number {
    while (this.ahead.length < most) {
      const next = this.source.next();
      if (next.done) break;
      this.ahead.push(next.value);
    }
    return Math.min(most, this.ahead.length);
  }

  take(): SetLine | undefined {
    if (this.left(1) === 0) return undefined;
    this.first = false;
    return this.ahead.shift();
  }
}

export const textFont = (library: FontLibrary, style: TextStyle): TextFont => ({
  library,
  weight: style.weight,
  kern: style.kern === true,
});

/** Returns the style's size, or a smaller one with which a short value stays on one line. */
function fittingSize({ value, style, oneLine }: SetText, font: TextFont, width: number): number {
  if (oneLine === undefined || value.length > 2 * oneLine.upTo) return style.size;
  if ([...value].length > oneLine.upTo || /[\n\r]/.test(value)) return style.size;
  const natural = segmentText(drawnText(value), font).reduce((sum, run) => sum + run.width, 0) / 1000;
  return Math.max(oneLine.smallest, Math.min(style.size, width / (natural + 0.01)));
}
