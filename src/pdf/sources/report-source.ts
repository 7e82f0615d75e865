import type { Request } from 'express';
import type { ServiceError } from '../../common/service-error.js';
import type { Warning } from '../../common/warnings.js';
import type { Tx } from '../../database/tx.js';
import type { WriteKey } from '../../database/writes/write-keys.js';
import type { Flow } from '../../flows/definition/flow.js';
import type { Claim } from '../../inspection/claims/claim.js';

/** The part of a source that a caller may use. */
export interface SourceAccess {
  /** The scope of an `Idempotency-Key`, beside the caller. */
  scope: string;
  /** The flows whose photographs this caller may use. */
  flows: Flow[];
  /** The refusal for a caller who may use none of the pending photographs. */
  refusal?: ServiceError;
  /** The checked key, which belongs to one of the flows. */
  apiKeyId?: string;
  /** The flows whose record of the inspection this caller may read. */
  detailsOf?: readonly string[];
}

/** The use of a source. A preview claims nothing, so that it needs only the right to read. */
export interface SourceUse {
  readonly preview?: true;
}

/** The reason why there is nothing to render. */
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
  /** The flows whose record of the inspection fills what `meta` leaves out. */
  readonly detailsOf?: readonly string[];
  /** The refusal for a caller who may use none of the pending photographs. */
  readonly refusal?: ServiceError;
  /** Resolves to true if the caller may read reports of these flows. */
  mayRead(flowIds: readonly string[]): Promise<boolean>;
}

/**
 * The source of one report: the pending photographs of a session, earlier reports, or the claim of a report. Sources know no
 * template; records, drawing, seal, vault and delivery know no source.
 */
export interface ReportSource {
  /**
   * Finds the part that this caller may use, or preview. Throws 401 or 404. Notes the session in the call's record.
   */
  access(request: Request, use: SourceUse): Promise<SourceAccess>;

  /** Prepares the claim, which is then made in the transaction that opens the execution's record. */
  taking(caller: SourceCaller): Promise<Taking>;

  /** The write keys of the claim; absent if they are not known beforehand. */
  readonly touched?: readonly WriteKey[];

  /** Returns the claim as it will be printed and stored, and warnings for the caller. */
  printable(claim: Claim, caller: SourceCaller): Promise<{ claim: Claim; warnings: Warning[] }>;
}
