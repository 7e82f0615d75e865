import type { FactMemberName } from '../../api/inspection-terms.js';
import type { FactWords } from '../../inspection/facts/fact.js';

/** Returns the printed word of a fact's member: the text as sent, `Yes` or `No`, or '' if it is absent. */
export function printedWord(words: FactWords, member: FactMemberName): string {
  const value = words[member];
  if (value === undefined) return '';
  if (typeof value === 'object') return value.map((each) => `${each.label}: ${each.value}`).join('\n');
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value);
}

export const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `3, 4, 12` */
export const numberList = (numbers: readonly number[]): string => numbers.join(', ');
