import type { FactWords } from '../facts/fact.js';
import type { AreaGroup } from './area-groups.js';
import type { FactInArea, ReportFact, RoomSection } from './inspection-report.js';
import type { PhotographNumbers } from './number-photographs.js';

/** Returns the facts of an area for printing, in order of arrival, with the numbers of their photographs. */
export const factsIn = ({ facts, names }: AreaGroup, numbers: PhotographNumbers): ReportFact[] =>
  facts.map(({ fact: { kind, fact, photographs }, nameKey }) => ({
    kind,
    words: fact,
    ...(nameKey === undefined ? {} : { filedUnder: names.headingOf(nameKey) }),
    photographs: numbers.named(photographs),
  }));

/** Returns readings, keys and alarms of all areas in print order, for the tables at the head of Meters & Keys. */
export const serviceFacts = (sections: readonly RoomSection[]): FactInArea[] =>
  inAreas(sections).filter(({ kind }) => kind !== 'observation');

/** Returns observations of fair, poor, damaged, dusty or dirty items in print order (contract section 6, rule 10). */
export const pointsToNote = (sections: readonly RoomSection[]): FactInArea[] =>
  inAreas(sections).filter(isToNote);

export const isToNote = ({ kind, words }: ReportFact): boolean =>
  kind === 'observation' &&
  (NOTED_CONDITIONS.has(words.condition) || NOTED_CLEANLINESS.has(words.cleanliness));

const NOTED_CONDITIONS: ReadonlySet<FactWords[string] | undefined> = new Set(['fair', 'poor', 'damaged']);
const NOTED_CLEANLINESS: ReadonlySet<FactWords[string] | undefined> = new Set(['dusty', 'dirty']);

const inAreas = (sections: readonly RoomSection[]): FactInArea[] =>
  sections.flatMap(({ heading, facts }) => facts.map((fact) => ({ area: heading, ...fact })));
