import type { PredictionAnswer } from '../../api/predictions.js';
import { shuttingDown } from '../../common/health/readiness.js';
import { type Overloaded, ServiceError } from '../../common/service-error.js';
import { DatabaseAway } from '../../database/away.js';
import { CallCancelled, type CancelReason } from '../../executions/call-outcome.js';
import type { StoredAnswer } from '../../executions/calls/key-entry.js';
import type { NodeFailure } from '../../flows/engine/run-event.js';
import type { PredictionEnding } from './answer-form.js';
import type { PredictionCall } from './prediction-call.js';

/** Replaces a node's own message for callers without the key. */
export const NEUTRAL =
  'The flow failed. Its owner finds the reason in the execution log, under the execution id.';

/** Returns a problem body for callers without the key, who must not read a node's own message. */
export function neutralFailure(problem: unknown): unknown {
  const { failedNode, ...others } = problem as Record<string, unknown>;
  return failedNode === undefined ? problem : { ...others, detail: NEUTRAL, message: NEUTRAL };
}

/** 500: callers without the key get a neutral sentence; holders of the flow's key get the node and its own message. */
export function flowFailed(call: PredictionCall, { nodeId, label, message }: NodeFailure): ServiceError {
  if (!call.seesFailures) return new ServiceError('flow_failed', NEUTRAL);
  return new ServiceError('flow_failed', message, {
    members: { failedNode: { id: nodeId, label } },
  });
}

export const COULD_NOT_CONTINUE =
  'The run could not continue: the database or the file store was unavailable or overloaded.';
const RESUMES = 'Send the call again: under its Idempotency-Key the run resumes where it stopped.';
const SEND_AGAIN = 'Send the message again later.';

/**
 * 503: a run that has begun and whose caller gets no answer. Nothing is wrong with the flow, so this answer is not
 * stored. If `resumable`, the same call resumes that run; otherwise it would repeat what the run has done.
 */
export class RunUnanswered extends ServiceError {
  constructor(
    cause: Overloaded,
    readonly resumable: boolean,
    detail: string,
  ) {
    super({ status: 503, code: cause.code }, detail, { headers: cause.headers, cause });
  }
}

/** A node failed because a part of the service was away or overloaded. */
export const couldNotContinue = (cause: Overloaded, resumable: boolean): ServiceError =>
  new RunUnanswered(cause, resumable, `${COULD_NOT_CONTINUE} ${resumable ? RESUMES : SEND_AGAIN}`);

const RESUMES_LATER =
  'The answer was accepted. The database or the file store is unavailable: the run resumes by itself when it is back. Send the call again for the result.';

/** Reports to the caller of a human's answer that the decision is stored and the run begins later by itself. */
export const resumesLater = (cause: Overloaded): ServiceError =>
  new RunUnanswered(cause, true, RESUMES_LATER);

/** Returns the error of a cancelled run. A run aborted by the service is refunded, one cancelled on demand is not. */
export function cancellationError(reason: CancelReason): ServiceError {
  if (reason === 'interrupted')
    return shuttingDown('The service stopped before the run had ended. Send the message again.');
  if (reason === 'flow_deleted') return flowDeleted('The flow was deleted before its run had ended.');
  return new CallCancelled(
    reason,
    reason === 'caller_left'
      ? 'The run was stopped because its caller left. Send the message again.'
      : 'The run was stopped. Send the message again to start another.',
  );
}

/** 500: the flow of the run was deleted before it ended. */
export const flowDeleted = (sentence: string): ServiceError =>
  new ServiceError('flow_deleted', `${sentence} The credits of the run were given back.`);

const END_PENDING =
  'The run has ended, but the database cannot be reached; its end is stored when the database is back.';
const ANSWERED_LATER = 'Send the call again under the same Idempotency-Key for the answer.';
const LOOK_FIRST =
  'Look up its execution id before you send the message again: that would run it a second time.';

/** The run has ended, and its end is written once the database is back. */
export const endPending = (cause: unknown, resumable: boolean): ServiceError =>
  new RunUnanswered(
    new DatabaseAway(cause),
    resumable,
    `${END_PENDING} ${resumable ? ANSWERED_LATER : LOOK_FIRST}`,
  );

export const internalError = (): ServiceError =>
  new ServiceError(
    'internal_error',
    'The service failed unexpectedly. Try again; if it fails again, report the execution id.',
  );

function withoutNode({ message, members }: Pick<StoredProblem, 'message' | 'members'>) {
  const { failedNode, ...others } = members;
  return failedNode === undefined ? { message, members } : { message: NEUTRAL, members: others };
}

/** An error stored under an `Idempotency-Key`, from which the same body can be made. */
interface StoredProblem {
  executionId: string;
  code: string;
  message: string;
  members: Record<string, unknown>;
}

export const storedProblem = (call: PredictionCall, error: ServiceError): StoredProblem => ({
  executionId: call.apiCall.executionId,
  code: error.code,
  message: error.message,
  members: error.members,
});

/**
 * Returns the ending of a stored answer. A failure may have been answered to the holder of the key: callers without it
 * get the neutral sentence.
 */
export function endingOfStored({ httpStatus, body }: StoredAnswer, seesFailures: boolean): PredictionEnding {
  if (httpStatus === 200) return { answer: body as PredictionAnswer };
  const { executionId, code, ...stored } = body as StoredProblem;
  const { message, members } = seesFailures ? stored : withoutNode(stored);
  const headers = { 'Idempotent-Replay': 'true' };
  return {
    error: new ServiceError({ status: httpStatus, code }, message, {
      members: { executionId, ...members },
      headers,
    }),
  };
}
