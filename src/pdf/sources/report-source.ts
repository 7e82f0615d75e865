import type { Request } from 'express';
import type { ServiceError } from '../../common/service-error.js';
import type { Warning } from '../../common/warnings.js';
import type { Tx } from '../../database/tx.js';
import type { WriteKey } from '../../database/writes/write-keys.js';
import type { Flow } from '../../flows/definition/flow.js';
import type { Claim } from '../../inspection/claims/claim.js';

/** The part of a source that a caller may use. */
export interface SourceAccess {
  /** Where an `Idempotency-Key` counts, beside the caller. */
  scope: string;
  /** Flows whose photographs this caller may use. */
  flows: Flow[];
  /** Set where photographs of other flows are pending: the refusal if no others are. */
  refusal?: ServiceError;
  /** The key that was checked, of one of the flows. */
  apiKeyId?: string;
  /** Those of the flows whose record of the inspection this caller may read. */
  detailsOf?: readonly string[];
}

/** A preview takes nothing, and is for whoever may read. */
export interface SourceUse {
  readonly preview?: true;
}

/** There is nothing to make a report of, and why. */
export interface NothingToRender {
  nothing: 'nothing_pending' | 'render_in_progress';
  sessionId: string;
}

export type Taking = (tx: Tx) => Promise<Claim | NothingToRender>;

/** The part of a render's caller that a source needs. */
export interface SourceCaller {
  readonly executionId: string;
  /** The flows whose photographs this caller may use. */
  readonly flowIds: readonly string[];
  /** Those of them whose record of the inspection fills what `meta` leaves out. */
  readonly detailsOf?: readonly string[];
  /** Set where photographs of other flows are pending: the refusal if no others are. */
  readonly refusal?: ServiceError;
}

/**
 * The source of one requested report: the pending photographs of a session, earlier reports, or the claim of a report. It
 * knows no template, and records, drawing, seal, vault and delivery know no source.
 */
export interface ReportSource {
  /**
   * Finds the part that this caller may use, or look at before it is used; throws 401 or 404. Notes the session in the
   * call's record.
   */
  access(request: Request, use: SourceUse): Promise<SourceAccess>;

  /** Prepares the taking, which then runs in the transaction that opens the execution's record. */
  taking(caller: SourceCaller): Promise<Taking>;

  /** Everything that the taking touches; where it is missing, that is not known beforehand. */
  readonly touched?: readonly WriteKey[];

  /** Returns the claim as it will be printed and stored, and warnings for the caller. */
  printable(claim: Claim): Promise<{ claim: Claim; warnings: Warning[] }>;
}
