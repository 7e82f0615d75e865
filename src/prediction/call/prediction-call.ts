import type { Warning } from '../../common/warnings.js';
import type { Tx } from '../../database/tx.js';
import type { ApiCall } from '../../executions/api-call.js';
import type { RunApproval } from '../../executions/approvals/approval.js';
import type { FlowContent } from '../../flows/definition/flow-definition.js';
import type { Flow } from '../../flows/definition/flow.js';
import type { Json } from '../../flows/engine/json.js';
import type { AnswerForm, PredictionEnding } from './answer-form.js';
import type { PredictionBody } from './prediction-body.js';

/** A call with a checked body: everything that a run needs to know of its caller. */
export interface PredictionCall {
  readonly apiCall: ApiCall;
  readonly flow: Flow;
  readonly body: PredictionBody;
  /** The caller's session, or a new one. */
  readonly chatId: string;
  readonly sessionId: string;
  readonly form: AnswerForm;
  /** True if the answer is streamed. */
  readonly streamed: boolean;
  /** Warnings from reading the body, returned with the answer. */
  readonly warnings?: readonly Warning[];
  /** True for the flow's key or an admin: errors then name the failing node, its message and the account. */
  readonly seesFailures: boolean;
  /** Key checked by the guards. */
  readonly apiKeyId: string | undefined;
  /** `scheme://host` of the service for this caller. */
  readonly publicUrl: string;
  /** The approval decided by this call; its run was paid for when it began. */
  readonly answers?: AnsweredApproval;
  /** The point from which the decided run resumes; read once it holds its chat's lock. */
  readonly resumes?: Resumption;
  /** True if the earlier call under the same key paid for the run. */
  readonly paid?: boolean;
  /** Listener in the transaction that ends the run; it writes rows of this run only. */
  readonly onEnded?: (tx: Tx, ending: PredictionEnding) => Promise<void>;
}

/** Name and run of an approval. */
export type AnsweredApproval = Pick<RunApproval, 'name' | 'executionId' | 'runId'>;

/** The first call of a run, whatever is answered to its questions. */
export interface FirstCall extends Pick<PredictionCall, 'body' | 'sessionId'> {
  /** The definition of a run of a draft, which is no version that could be read again. */
  draft?: FlowContent;
}

export interface Resumption {
  snapshot: Json;
  first: FirstCall;
  /** Blob key of the first call. */
  requestKey: string;
}
