import type { Request } from 'express';
import type { Warning } from '../../common/warnings.js';
import type { ServiceError } from '../../common/service-error.js';
import type { Tx } from '../../database/tx.js';
import type { Flow } from '../../flows/definition/flow.js';
import type { Claim } from '../../inspection/claim.js';
import type { RenderCaller } from '../render-records.js';
import type { SourceOrder } from '../render-request.js';
import type { DocumentContents } from '../renderer/document-contents.js';

/** What a caller may use of a source. */
export interface SourceAccess {
  /** Where an `Idempotency-Key` counts, beside the caller. */
  scope: string;
  /** Flows whose photographs this caller may use. */
  flows: Flow[];
  /** Photographs of other flows are pending: what the caller is refused with when nothing else is. */
  refusal?: ServiceError;
  /** The key that was checked, of one of the flows. */
  apiKeyId?: string;
}

/** There is nothing to make a report of, and why. */
export interface NothingToRender {
  nothing: 'nothing_pending' | 'render_in_progress';
  sessionId: string;
}

export type Taking = (tx: Tx) => Promise<Claim | NothingToRender>;

/**
 * What a report is made of (`source.type` of a render): the pending photographs of a session, or two earlier reports.
 * All that differs between them is here; records, claims, drawing, seal, vault and delivery know no source.
 */
export interface ReportSource<Order extends SourceOrder = SourceOrder> {
  /** What this caller may use; throws 401 or 404. Tells the call's record the session. */
  access(request: Request, order: Order): Promise<SourceAccess>;

  /** Prepares the taking, which then runs in the transaction that opens the execution's record. */
  taking(order: Order, caller: RenderCaller): Promise<Taking>;

  /** The claim as it will be printed and kept, and what the caller should be told of it. */
  printable(claim: Claim, order: Order): Promise<{ claim: Claim; warnings: Warning[] }>;

  /** Everything that decides what the file says: the same for a claim whenever it is asked, so that a redraw gives the same bytes. */
  contents(claim: Claim): Promise<DocumentContents>;
}
