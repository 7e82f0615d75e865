import type { FactWords } from '../../inspection/facts/fact.js';

/** A member of a fact as it is printed: as it was sent, a yes or no in words; '' where it was not said. */
export function saidWord(words: FactWords, member: string): string {
  const said = words[member];
  if (said === undefined) return '';
  return typeof said === 'boolean' ? (said ? 'Yes' : 'No') : String(said);
}

export const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `3, 4, 12` */
export const numberList = (numbers: readonly number[]): string => numbers.join(', ');
