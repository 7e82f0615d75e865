import { normalizeArea } from '../../../inspection/areas/normalize-area.js';
import type { FactKind } from '../../../inspection/facts/fact.js';
import type { ReportFact } from '../../../inspection/report/inspection-report.js';
import { capitalised, numberList, printedWord } from '../fact-words.js';
import type { Sides } from './comparison-report.js';

/**
 * Pairs the facts of an area in both reports by their item, meter, keys or alarm: those of the earlier report in its order,
 * then those of the later one alone.
 */
export function factPairs({ before, after }: Sides<readonly ReportFact[]>): Sides<ReportFact | undefined>[] {
  const partners = new Map<ReportFact, ReportFact>();
  const taken = new Set<ReportFact>();
  const pairBy = (keyOf: (fact: ReportFact) => string): void => {
    const rest = new Map<string, ReportFact[]>();
    for (const fact of after.filter((one) => !taken.has(one))) {
      const same = rest.get(keyOf(fact));
      if (same) same.push(fact);
      else rest.set(keyOf(fact), [fact]);
    }
    for (const fact of before.filter((one) => !partners.has(one))) {
      const partner = rest.get(keyOf(fact))?.shift();
      if (partner === undefined) continue;
      partners.set(fact, partner);
      taken.add(partner);
    }
  };
  // Equal statements about one thing are paired first.
  pairBy((fact) => JSON.stringify([identityOf(fact), factParts(fact).statement]));
  pairBy(identityOf);
  return [
    ...before.map((fact) => ({ before: fact, after: partners.get(fact) })),
    ...after.filter((fact) => !taken.has(fact)).map((fact) => ({ before: undefined, after: fact })),
  ];
}

/** Returns what identifies a fact: a reading by its meter, others also by the thing and its place. */
const identityOf = ({ kind, words, filedUnder = '' }: ReportFact): string =>
  JSON.stringify([
    kind,
    normalizeArea(filedUnder),
    ...(kind === 'reading'
      ? []
      : [printedWord(words, SUBJECT[kind]), printedWord(words, 'place')].map(normalizeArea)),
  ]);

const SUBJECT = { observation: 'item', keys: 'kind', alarm: 'kind' } as const satisfies Partial<
  Record<FactKind, string>
>;

interface FactParts {
  /** `Hob`, `Alarm (Smoke alarm landing)` */
  readonly thing: string;
  /** `Poor, Dirty. Two rings do not light.` */
  readonly statement: string;
  /** `Photographs 3, 4` */
  readonly photographs: string;
}

/** Returns the words of a fact; an absent part is ''. */
export function factParts({ kind, words, filedUnder, photographs }: ReportFact): FactParts {
  const labelled = (member: string, lead = ''): string[] => {
    const word = printedWord(words, member);
    return word === '' ? [] : [`${lead}${word}`];
  };
  const list = (...parts: string[][]): string => parts.flat().join(', ');
  const body = {
    reading: () => [
      list([[...labelled('value'), ...labelled('unit')].join(' ')], labelled('serial', 'serial number ')),
    ],
    keys: () => [list(labelled('count'))],
    alarm: () => [list(labelled('place'), labelled('tested', 'tested: '), labelled('expires', 'expires '))],
    observation: () => [
      capitalised(list(labelled('condition'), labelled('cleanliness'))),
      ...labelled('description'),
    ],
  }[kind]();
  const subject = kind === 'reading' ? 'Reading' : printedWord(words, SUBJECT[kind]);
  const numbers = `${photographs.length === 1 ? 'Photograph' : 'Photographs'} ${numberList(photographs)}`;
  return {
    thing: filedUnder === undefined ? subject : `${subject} (${filedUnder})`,
    statement: sentences(body),
    photographs: photographs.length === 0 ? '' : numbers,
  };
}

/** Returns a fact in one line: `Hob: Poor, Dirty. Two rings do not light. Photographs 3, 4` */
export function factSentence(fact: ReportFact): string {
  const { thing, statement, photographs } = factParts(fact);
  const sentence = sentences([statement, photographs]);
  return sentence === '' ? thing : `${thing}: ${sentence}`;
}

const sentences = (parts: readonly string[]): string => parts.filter((part) => part !== '').reduce(after, '');

/** Joins sentences; adds a full stop to one without an end. */
const after = (sentence: string, next: string): string =>
  sentence === '' ? next : `${sentence}${/[.!?…]$/.test(sentence) ? '' : '.'} ${next}`;
