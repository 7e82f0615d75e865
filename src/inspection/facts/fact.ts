import type { FactMemberName } from '../../api/inspection-terms.js';
import type { CaptureAnswer } from '../../api/inspections.js';

/** A recorded fact in an answer. */
export type RecordedFact = NonNullable<CaptureAnswer['recordedFacts']>[number];

/** A kind of fact. */
export type FactKind = RecordedFact['kind'];

/** The members of a fact as they were sent; the others are absent. */
export type FactWords = Readonly<RecordedFact['fact']>;

/** The value of a member: a word, or the list of an observation's `details`. */
export type FactWord = NonNullable<FactWords[FactMemberName]>;

/** A value of an observation with its label: `Colour`, `Magnolia`. */
export type ItemDetail = NonNullable<FactWords['details']>[number];

/** A fact as a call sent it. */
export interface SentFact {
  readonly kind: FactKind;
  readonly words: FactWords;
  /** Indices of photographs of the call, or ids of photographs of the session; absent if none were named. */
  readonly photographs?: readonly (number | string)[];
  /** Its place in the call, for warnings: `observations[3]`. */
  readonly path: string;
}

/** The members of a capture for facts. */
export const FACT_MEMBERS = ['observations', 'reading', 'keys', 'alarm'] as const;
