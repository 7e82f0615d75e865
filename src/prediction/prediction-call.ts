import type { ServiceError } from '../common/service-error.js';
import type { Tx } from '../database/tx.js';
import type { ApiCall } from '../executions/api-call.js';
import type { Flow } from '../flows/definition/flow.js';
import type { KeptStop } from './memory/chat-memory.js';
import type { PredictionBody } from './prediction-body.js';

/** How a run ended for its caller: the JSON form of its answer, or the error. */
export type RunEnding<Answer = unknown> = { answer: Answer } | { error: ServiceError };

/** A call whose body was read and checked: everything that a run needs to know of its caller. */
export interface PredictionCall {
  readonly apiCall: ApiCall;
  readonly flow: Flow;
  readonly body: PredictionBody;
  /** The session: the caller's, else a new one. */
  readonly chatId: string;
  readonly sessionId: string;
  /** The answer goes out as a stream. */
  readonly streamed: boolean;
  /** The caller presented the flow's key (or is an admin): it is told the failing node, with its message, and the account. */
  readonly seesFailures: boolean;
  /** The key that the guards checked. */
  readonly apiKeyId: string | undefined;
  /** `scheme://host` of the service, as this caller reaches it. */
  readonly publicUrl: string;
  /** The stopped run that this call answers; it was paid for then. */
  readonly resumes?: KeptStop;
  /** The call under the same key, whose run this one goes on with, has paid. */
  readonly paid?: boolean;
  /** Told of the end, in the transaction that ends the run. */
  readonly onEnded?: (tx: Tx, ending: RunEnding) => Promise<void>;
}

export const priceOf = (call: PredictionCall): number => (call.resumes || call.paid ? 0 : call.flow.price);
