const ACRONYMS: ReadonlySet<string> = new Set(['wc', 'tv', 'hmo', 'cctv', 'co']);
const slug = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/;
/** Words of lower-case letters and digits, with any separators. */
const small = /^[\p{Ll}\p{N}'’]+(?:[-_ /][\p{Ll}\p{N}'’]+)*$/u;
/** Words that stay in lower case except at the beginning. */
const BETWEEN: ReadonlySet<string> = new Set([
  'of',
  'the',
  'and',
  'to',
  'in',
  'on',
  'at',
  'by',
  'for',
  'with',
]);

/**
 * Returns the best spelling of an area for its heading: the most carefully written one (`Bedroom 1` over `bedroom-1` and
 * `BEDROOM 1`), then the most frequent, then the earliest. Undefined without any.
 */
export function bestSpelling(spellings: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const spelling of spellings) {
    const tidy = tidySpaces(spelling);
    if (tidy !== '') counts.set(tidy, (counts.get(tidy) ?? 0) + 1);
  }
  let best: string | undefined;
  for (const [spelling, count] of counts) {
    if (best === undefined) best = spelling;
    else {
      const better = care(spelling) - care(best);
      if (better > 0 || (better === 0 && count > counts.get(best)!)) best = spelling;
    }
  }
  return best;
}

/**
 * Returns the heading of an area: its best spelling, capitalised if it is all lower case (`living-room`, `en-suite 2`).
 */
export function bestHeading(spellings: readonly string[]): string {
  const best = bestSpelling(spellings) ?? '';
  return small.test(best) ? prettify(best) : best;
}

/** Returns a name on one line with single spaces. */
export const tidySpaces = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

/** Scores a spelling: 3 capitalised, 2 lower case, 1 all capitals, 0 a slug; half a point more for fewer separators. */
function care(spelling: string): number {
  if (slug.test(spelling)) return 0;
  const letters = spelling.replace(/[^\p{L}]/gu, '');
  const shouted =
    letters.length > 3 && letters === letters.toUpperCase() && letters !== letters.toLowerCase();
  const capital = /^\p{Lu}/u.test(letters);
  const separators = /[-_/\p{Pd}]/u.test(spelling) ? 0 : 0.5;
  return (shouted ? 1 : capital ? 3 : 2) + separators + capitalWords(spelling) / 4;
}

/** Returns the share of words that begin with a capital or a digit, 0 to 1. */
function capitalWords(spelling: string): number {
  const words = spelling.split(' ');
  return words.filter((word) => /^[^\p{L}\p{N}]*[\p{Lu}\p{N}]/u.test(word)).length / words.length;
}

const prettify = (text: string): string =>
  text.replace(/[-_]/g, ' ').replace(/[^ /]+/g, (word, at: number) => {
    if (ACRONYMS.has(word)) return word.toUpperCase();
    return at > 0 && BETWEEN.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1);
  });
