import { isBlank, isIdeograph, staysTogether } from './characters.js';

const HYPHENS = new Set([0x2d, 0x2f, 0x2010, 0x2013, 0x2014]);
/** The longest run of ideographs within other text that stays on one line, such as the name `北京路`. */
const LONGEST_NAME = 6;

/** Yields words with the blanks after them. A line may also end after a hyphen, a slash or an ideograph of a longer text. */
export function* wordsOf(paragraph: string): Generator<string, void> {
  let start = 0;
  let previous = 0;
  let nameEnd = 0;
  for (let index = 0; index < paragraph.length;) {
    const codePoint = paragraph.codePointAt(index) as number;
    if (isIdeograph(codePoint) && !isIdeograph(previous)) nameEnd = endOfName(paragraph, index);
    if (
      index > start &&
      !(isIdeograph(previous) && index < nameEnd) &&
      mayBreakBetween(previous, codePoint) &&
      !isNumbered(paragraph, start, index)
    ) {
      yield paragraph.slice(start, index);
      start = index;
    }
    previous = codePoint;
    index += codePoint > 0xffff ? 2 : 1;
  }
  if (start < paragraph.length) yield paragraph.slice(start);
}

/** Returns the end of a short run of ideographs, or the start of a longer one. */
function endOfName(text: string, start: number): number {
  let end = start;
  for (let count = 0; end < text.length; count += 1) {
    const codePoint = text.codePointAt(end) as number;
    if (!isIdeograph(codePoint)) return end;
    if (count === LONGEST_NAME) return start;
    end += codePoint > 0xffff ? 2 : 1;
  }
  return end;
}

/** Returns true between the word `Photograph` and its number. */
const isNumbered = (text: string, start: number, at: number): boolean =>
  text.charCodeAt(at) >= 0x30 && text.charCodeAt(at) <= 0x39 && /^Photographs? $/.test(text.slice(start, at));

/** Ideographic punctuation, after which a line may end. */
const ENDS_CLAUSE = new Set([0x3001, 0x3002, 0xff01, 0xff0c, 0xff1a, 0xff1b, 0xff1f]);

function mayBreakBetween(before: number, after: number): boolean {
  if (isBlank(after) || staysTogether(before, after)) return false;
  if (isBlank(before)) return true;
  if (HYPHENS.has(before)) return !(after >= 0x30 && after <= 0x39);
  return (isIdeograph(before) || ENDS_CLAUSE.has(before)) && isIdeograph(after);
}
