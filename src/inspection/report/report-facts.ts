import { wordGravity } from '../facts/grades.js';
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

/** Returns observations that are points to note in print order (contract section 6, rule 10). */
export const pointsToNote = (sections: readonly RoomSection[]): FactInArea[] =>
  inAreas(sections).filter(isToNote);

/** Returns observations with a responsibility, an action or a note, in print order. */
export const actionsIn = (sections: readonly RoomSection[]): FactInArea[] =>
  inAreas(sections).filter(({ words }) =>
    [words.responsibility, words.action, words.note].some((word) => word !== undefined),
  );

/** Returns the words of condition and cleanliness that are printed, each once. */
export const gradesUsed = (sections: readonly RoomSection[]): string[] => [
  ...new Set(
    sections.flatMap(({ facts }) =>
      facts.flatMap(({ words }) =>
        [words.condition, words.cleanliness].filter((word) => typeof word === 'string'),
      ),
    ),
  ),
];

/** Returns true for an observation with a grade that is a point to note. */
export const isToNote = ({ kind, words }: Pick<ReportFact, 'kind' | 'words'>): boolean =>
  kind === 'observation' && [words.condition, words.cleanliness].some((word) => wordGravity(word) !== 'none');

const inAreas = (sections: readonly RoomSection[]): FactInArea[] =>
  sections.flatMap(({ heading, facts }) => facts.map((fact) => ({ area: heading, ...fact })));
