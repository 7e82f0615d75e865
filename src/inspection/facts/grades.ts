import { CLEANLINESS, CONDITIONS } from '../../api/inspection-terms.js';
import type { FactWords } from './fact.js';

/** A word for the condition or the cleanliness of an item. */
export interface Grade {
  readonly label: string;
  /** The meaning, for the glossary of a report that uses the word. */
  readonly definition: string;
  /** `noted` and `grave` ones make an item a point to note. */
  readonly gravity: 'none' | 'noted' | 'grave';
}

type Grades<Word extends string> = Readonly<Record<Word, Grade>>;

const grade = (label: string, definition: string): Grade => ({ label, definition, gravity: 'none' });
const noted = (label: string, definition: string): Grade => ({ label, definition, gravity: 'noted' });
const grave = (label: string, definition: string): Grade => ({ label, definition, gravity: 'grave' });

/** The words of condition, best first. */
export const CONDITION_GRADES: Grades<(typeof CONDITIONS)[number]> = {
  new: grade('New', 'Unused, without any mark.'),
  good: grade('Good', 'Sound and working, with slight signs of use at most.'),
  fair: noted('Fair', 'Sound and working, with visible wear or marks.'),
  poor: grave('Poor', 'Heavily worn or marked, or working only in part.'),
  damaged: grave('Damaged', 'Broken, torn, burnt or otherwise not fit for its use.'),
};

/** The words of cleanliness, cleanest first. */
export const CLEANLINESS_GRADES: Grades<(typeof CLEANLINESS)[number]> = {
  professional: grade('Professional', 'Cleaned to the standard of a professional cleaner.'),
  clean: grade('Clean', 'Free of dust, dirt and marks.'),
  domestic: grade('Domestic', 'Cleaned to an ordinary household standard, with slight traces left.'),
  dusty: noted('Dusty', 'Covered by dust or loose dirt that a wipe or a vacuum cleaner removes.'),
  stained: noted('Stained', 'Marked by stains that ordinary cleaning has not removed.'),
  dirty: grave('Dirty', 'Soiled; needs cleaning.'),
};

/** The grades of each member that has some. */
export const GRADES = { condition: CONDITION_GRADES, cleanliness: CLEANLINESS_GRADES } as const;

/** A member of an observation whose words are grades. */
export type GradedMember = keyof typeof GRADES;

const gravities: ReadonlyMap<string, Grade['gravity']> = new Map(
  Object.values(GRADES).flatMap((grades) =>
    Object.entries<Grade>(grades).map(([word, { gravity }]) => [word, gravity] as const),
  ),
);

/** Returns the gravity of a word of condition or cleanliness. */
export const wordGravity = (word: unknown): Grade['gravity'] => gravities.get(String(word)) ?? 'none';

const RANKS = { condition: CONDITIONS, cleanliness: CLEANLINESS } as const;

/** Returns the place of a word among the grades of its member, 0 for the best; undefined without such a word. */
export function gradeRank(member: GradedMember, words: FactWords): number | undefined {
  const rank = (RANKS[member] as readonly unknown[]).indexOf(words[member]);
  return rank < 0 ? undefined : rank;
}

/** Returns the grade that an observation has for a member. */
export function gradeOf(member: GradedMember, words: FactWords): Grade | undefined {
  const grades: Readonly<Record<string, Grade>> = GRADES[member];
  const word = words[member];
  return typeof word === 'string' && Object.hasOwn(grades, word) ? grades[word] : undefined;
}
