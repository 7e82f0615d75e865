import type { FactMemberName } from '../../../api/inspection-terms.js';
import type { ReportFact } from '../../../inspection/report/inspection-report.js';
import { numberList, printedWord } from '../fact-words.js';

const LABELS: readonly (readonly [label: string, member: FactMemberName])[] = [
  ['Quantity', 'quantity'],
  ['Make', 'make'],
  ['Model', 'model'],
  ['Serial number', 'serial'],
  ['Age', 'age'],
];

const AS_AT_CHECK_IN = 'As at check-in';

/** Returns the description of an observation's own inspection: one that repeats the check-in is quoted in `detailLines`. */
export const describedAs = (fact: ReportFact): string => {
  const own = printedWord(fact.words, 'description');
  return isQuote(fact, own) ? '' : own;
};

/**
 * Returns the lines under the description: the words of the check-in that an observation `asBefore` quotes, quantity, make,
 * model, serial number and age, and the labelled values.
 */
export function detailLines(fact: ReportFact): string | undefined {
  const { words } = fact;
  const known = LABELS.flatMap(([label, member]) => {
    const value = printedWord(words, member);
    return value === '' ? [] : [`${label} ${value}`];
  });
  const lines = [...quoteOf(fact), ...(known.length === 0 ? [] : [known.join(' · ')])];
  const details = printedWord(words, 'details');
  if (details !== '') lines.push(details);
  return lines.length === 0 ? undefined : lines.join('\n');
}

function quoteOf({ words, quoted }: ReportFact): string[] {
  if (words.asBefore !== true) return [];
  const description = quoted ? printedWord(quoted.words, 'description') : '';
  const numbers = quoted?.photographs ?? [];
  const where =
    numbers.length === 0
      ? ''
      : ` Photograph${numbers.length === 1 ? '' : 's'}\u00a0${numberList(numbers)} of the check-in.`;
  return [description === '' ? `${AS_AT_CHECK_IN}.${where}` : `${AS_AT_CHECK_IN}: “${description}”${where}`];
}

const isQuote = ({ words, quoted }: ReportFact, own: string): boolean =>
  words.asBefore === true && quoted !== undefined && own === printedWord(quoted.words, 'description');
