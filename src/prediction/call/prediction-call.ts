import type { Warning } from '../../common/warnings.js';
import type { Tx } from '../../database/tx.js';
import type { ApiCall } from '../../executions/api-call.js';
import type { RunApproval } from '../../executions/approvals/approval.js';
import type { Flow } from '../../flows/definition/flow.js';
import type { Json } from '../../flows/engine/json.js';
import type { AnswerForm, PredictionEnding } from './answer-form.js';
import type { PredictionBody } from './prediction-body.js';

/** A call whose body was read and checked: everything that a run needs to know of its caller. */
export interface PredictionCall {
  readonly apiCall: ApiCall;
  readonly flow: Flow;
  readonly body: PredictionBody;
  /** The session: the caller's, else a new one. */
  readonly chatId: string;
  readonly sessionId: string;
  readonly form: AnswerForm;
  /** The answer goes out as a stream. */
  readonly streamed: boolean;
  /** Of reading its body: told with the answer. */
  readonly warnings?: readonly Warning[];
  /** The caller presented the flow's key (or is an admin): errors name the failing node, its message, the account. */
  readonly seesFailures: boolean;
  /** The key that the guards checked. */
  readonly apiKeyId: string | undefined;
  /** `scheme://host` of the service, as this caller reaches it. */
  readonly publicUrl: string;
  /** The stop that this call decides; its run was paid for when it began. */
  readonly answers?: AnsweredApproval;
  /** Where the run goes on that it decided: read when its turn has come. */
  readonly resumes?: Resumption;
  /** The run was paid for by the earlier call under the same key, which this one continues. */
  readonly paid?: boolean;
  /** Called in the transaction that ends the run; it writes rows of this run alone. */
  readonly onEnded?: (tx: Tx, ending: PredictionEnding) => Promise<void>;
}

/** A stop, as long as nothing more than its name and its run are needed. */
export type AnsweredApproval = Pick<RunApproval, 'name' | 'executionId' | 'runId'>;

/** The call that began a run: it stays what the run is about, whatever is said to its questions. */
export type FirstCall = Pick<PredictionCall, 'body' | 'sessionId'>;

export interface Resumption {
  snapshot: Json;
  first: FirstCall;
  /** Where the first call lies in the store. */
  requestKey: string;
}

export const priceOf = (call: PredictionCall): number => (call.answers || call.paid ? 0 : call.flow.price);
