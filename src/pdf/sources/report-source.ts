import type { Request } from 'express';
import type { ServiceError } from '../../common/service-error.js';
import type { Warning } from '../../common/warnings.js';
import type { Tx } from '../../database/tx.js';
import type { WriteKey } from '../../database/writes/write-keys.js';
import type { Flow } from '../../flows/definition/flow.js';
import type { Claim } from '../../inspection/claims/claim.js';
import type { ReportInput } from '../../inspection/report/report-input.js';
import type { RenderCaller } from '../render/render-records.js';
import type { Source } from '../templates/source.js';
import type { SourceDetails } from '../templates/template.js';

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

/**
 * A source of reports (`templates/source.ts`): the pending photographs of a session, or earlier reports. It
 * knows no template, and records, drawing, seal, vault and delivery know no source.
 */
export interface ReportSource<From extends Source> {
  /**
   * Finds the part that this caller may use, or look at before it is used; throws 401 or 404. Notes the session in the
   * call's record.
   */
  access(request: Request, from: From, use: SourceUse): Promise<SourceAccess>;

  /** Prepares the taking, which then runs in the transaction that opens the execution's record; `details` stay with the claim. */
  taking(from: From, details: SourceDetails, caller: RenderCaller): Promise<Taking>;

  /** Everything that the taking touches; where it is missing, that is not known beforehand. */
  touched?(from: From): readonly WriteKey[];

  /** The claim as it will be printed and kept, and warnings for the caller. */
  printable(claim: Claim, from: From): Promise<{ claim: Claim; warnings: Warning[] }>;

  /** The whole input of the report: the same for a claim whenever it is asked, so that a redraw gives the same bytes. */
  inputs(claim: Claim, from: From): Promise<ReportInput[]>;
}

/** A source together with what a request asks of it (see `ReportSource`). */
export interface AskedSource {
  access(request: Request, use: SourceUse): Promise<SourceAccess>;
  taking(caller: RenderCaller): Promise<Taking>;
  readonly touched?: readonly WriteKey[];
  printable(claim: Claim): Promise<{ claim: Claim; warnings: Warning[] }>;
}
