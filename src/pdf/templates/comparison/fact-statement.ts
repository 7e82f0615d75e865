import { ACTIONS, type FactMemberName, RESPONSIBILITIES } from '../../../api/inspection-terms.js';
import type { ReportFact } from '../../../inspection/report/inspection-report.js';
import { capitalised, printedWord } from '../fact-words.js';
import { nameOfThing } from './pair-facts.js';

/** The printed words of a fact; an absent part is ''. */
export interface Statement {
  /** `poor`, `dirty` */
  readonly grades: readonly string[];
  /** `Two rings do not light.`, `4021 m³`, `1 of 4 not returned` */
  readonly words: string;
  /** `Make Bosch; serial number 4711` */
  readonly details: string;
}

/** Returns the name of a fact in a table: `Hob`, `Smoke alarm (Smoke alarm landing)`, `Reading, day`. */
export function thingOf(fact: ReportFact): string {
  const register = printedWord(fact.words, 'register');
  const name = fact.kind === 'reading' ? ['Reading', register].filter(Boolean).join(', ') : nameOfThing(fact);
  return fact.filedUnder === undefined ? name : `${name} (${fact.filedUnder})`;
}

export function statementOf(fact: ReportFact): Statement {
  const grades = (['condition', 'cleanliness'] as const).flatMap(
    (member) => printedWord(fact.words, member) || [],
  );
  return { grades, words: wordsOf(fact), details: detailsOf(fact) };
}

/** Returns a statement in one line: `Good, clean. White gloss.` */
export const inOneLine = ({ grades, words, details }: Statement): string =>
  [gradesInWords(grades), words, details].reduce(sentences, '');

/** `Poor, dirty` */
export const gradesInWords = (grades: readonly string[]): string => capitalised(grades.join(', '));

/** Joins two sentences; adds a full stop to one without an end. */
export const sentences = (sentence: string, next: string): string =>
  sentence === '' || next === ''
    ? sentence + next
    : `${sentence}${/[.!?…]$/.test(sentence) ? '' : '.'} ${next}`;

function wordsOf({ kind, words }: ReportFact): string {
  const word = (member: FactMemberName, lead = ''): string[] => {
    const value = printedWord(words, member);
    return value === '' ? [] : [`${lead}${value}`];
  };
  switch (kind) {
    case 'reading':
      return [...word('value'), ...word('unit')].join(' ');
    case 'keys':
      return words.returned === undefined
        ? word('count', 'Count ').join('')
        : returnedOf(words.count, words.returned);
    case 'alarm':
      return [...word('place'), ...word('tested', 'tested: ')].join(', ');
    case 'observation':
      return [...(words.quantity === 0 ? [NOT_THERE] : []), ...word('description')].reduce(sentences, '');
  }
}

/** The words for an item of which there is none. */
export const NOT_THERE = 'not there';
/** The words for keys of which none came back. */
export const NOT_RETURNED = 'not returned';

/** Returns `3 of 4 returned, 1 not returned`, or `not returned` for none of them. */
function returnedOf(count: unknown, returned: unknown): string {
  if (typeof count !== 'number') return `${String(returned)} returned`;
  if (returned === 0 && count > 0) return `${NOT_RETURNED} (0 of ${count})`;
  const missing = count - Number(returned);
  return `${String(returned)} of ${count} returned${missing > 0 ? `, ${missing} ${NOT_RETURNED}` : ''}`;
}

/** Further members in print order, with the words before them. */
const LABELS: Readonly<Partial<Record<FactMemberName, string>>> = {
  quantity: 'quantity',
  make: 'make',
  model: 'model',
  serial: 'serial number',
  age: 'age',
  location: 'location',
  supplier: 'supplier',
  result: 'result:',
  expires: 'expires',
};

function detailsOf({ words }: ReportFact): string {
  const named = (Object.keys(LABELS) as FactMemberName[]).flatMap((member) => {
    const value = member === 'quantity' && words[member] === 0 ? '' : printedWord(words, member);
    return value === '' ? [] : [`${LABELS[member]} ${value}`];
  });
  const labelled = (words.details ?? []).map(({ label, value }) => `${label}: ${value}`);
  return capitalised([...named, ...labelled].join('; '));
}

/** Returns the sender's words on what follows from an observation: `Responsibility: Tenant`, `Action: Repair`, the note. */
export function outcomeLines({ words }: ReportFact): string[] {
  const labelled = (
    label: string,
    member: FactMemberName,
    labels: Readonly<Record<string, string>>,
  ): string[] => {
    const word = printedWord(words, member);
    return word === '' ? [] : [`${label}: ${labels[word] ?? word}`];
  };
  const note = printedWord(words, 'note');
  return [
    ...labelled('Responsibility', 'responsibility', RESPONSIBILITIES),
    ...labelled('Action', 'action', ACTIONS),
    ...(note === '' ? [] : [note]),
  ];
}
