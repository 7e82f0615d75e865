import type { AreaType } from '../areas/area-type.js';

/** A kind of fact, named as the member of a capture that says it. */
export type FactKind = 'observation' | 'reading' | 'keys' | 'alarm';

/** The members of a fact as they were sent; the others are absent. */
export type FactWords = Readonly<Record<string, string | number | boolean>>;

/** A fact as a call says it. */
export interface SentFact {
  readonly kind: FactKind;
  readonly words: FactWords;
  /** Indices of photographs of the call, or ids of photographs of the session. Absent: none were named. */
  readonly photographs?: readonly (number | string)[];
  /** Its place in the call, for warnings: `observations[3]`. */
  readonly path: string;
}

/** A recorded fact, as answers show it. */
export interface RecordedFact {
  id: string;
  kind: FactKind;
  /** As it was spelt. */
  area: string;
  areaType: AreaType;
  fact: FactWords;
  /** Ids. */
  photographs: string[];
  /** The same message recorded it before: this is that record. */
  duplicate?: true;
}

export const CONDITIONS = ['new', 'good', 'fair', 'poor', 'damaged'] as const;
export const CLEANLINESS = ['clean', 'dusty', 'dirty'] as const;

/** The members of a capture that say facts. */
export const FACT_MEMBERS = ['observations', 'reading', 'keys', 'alarm'] as const;
