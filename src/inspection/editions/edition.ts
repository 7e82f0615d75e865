import type { Change } from '../corrections/change.js';
import type { Columns, SubjectKind } from '../corrections/subject.js';

/**
 * A further edition of a report (contract section 6): the claim of the first, with what was said anew since. Kept with
 * the claim of the edition, which takes nothing itself.
 */
export interface Edition {
  /** 2 of the first one that replaces another. */
  readonly number: number;
  /** The claim that holds the photographs, remarks and facts. */
  readonly baseClaimId: string;
  readonly replaces: ReplacedReport;
  /** A key's name, or `admin`. */
  readonly by: string;
  readonly reason: string;
  readonly items: readonly EditionItem[];
}

/** The report that an edition replaces; `createdAt` in epoch milliseconds. */
export interface ReplacedReport {
  readonly claimId: string;
  readonly reportId: string;
  readonly createdAt: number;
}

/** A record of the claim and what this edition says anew of it. */
export interface EditionItem {
  readonly kind: SubjectKind;
  readonly id: string;
  readonly flowId: string;
  readonly sessionId: string;
  readonly change: Change;
  readonly reason: string;
  /** The columns that change: their values from this edition on, and before. */
  readonly next: Columns;
  readonly was: Columns;
}
