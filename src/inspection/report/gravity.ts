import { gradeRank, wordGravity } from '../facts/grades.js';
import type { FactInArea, ReportFact } from './inspection-report.js';

/** Groups of points to note, gravest first, by their grades alone. */
export const GRAVITIES = ['Damaged', 'Poor or dirty', 'Fair, stained or dusty'] as const;
export type Gravity = (typeof GRAVITIES)[number];

const placeOf = (word: unknown): number => (word === 'damaged' ? 0 : wordGravity(word) === 'grave' ? 1 : 2);

/** Returns the group of a point to note. */
export const gravityOf = ({ words }: Pick<ReportFact, 'words'>): Gravity =>
  GRAVITIES[Math.min(placeOf(words.condition), placeOf(words.cleanliness))]!;

/** Returns the gravest points: by group, then by the sum of their ranks, then in print order. */
export function gravestOf(points: readonly FactInArea[], most: number): FactInArea[] {
  const rank = ({ words }: FactInArea): number =>
    (gradeRank('condition', words) ?? 0) + (gradeRank('cleanliness', words) ?? 0);
  const keyed = points.map((point, place) => ({
    ...{ point, place, group: GRAVITIES.indexOf(gravityOf(point)), rank: rank(point) },
  }));
  keyed.sort((one, other) => one.group - other.group || other.rank - one.rank || one.place - other.place);
  return keyed.slice(0, most).map(({ point }) => point);
}
