/** The longest text that is compared with known words; all of them are shorter. */
const LONGEST_WORD = 200;

/**
 * Returns a trimmed text that may be one of a list of known words, or '' if it is too long for that: reading the spelling
 * of a text of many megabytes would hold up all other calls.
 */
export function possibleWord(text: string): string {
  const word = text.trim();
  return word.length <= LONGEST_WORD ? word : '';
}
