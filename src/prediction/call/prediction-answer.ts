import { shuttingDown } from '../../common/health/readiness.js';
import { type Overloaded, ServiceError } from '../../common/service-error.js';
import type { Warning } from '../../common/warnings.js';
import { DatabaseAway } from '../../database/away.js';
import { CallCancelled, type CancelReason } from '../../executions/call-outcome.js';
import type { StoredAnswer } from '../../executions/calls/key-entry.js';
import type { Json } from '../../flows/engine/json.js';
import type { NodeFailure, RunResult } from '../../flows/engine/run-event.js';
import type { PredictionAnswer, PredictionEnding } from './answer-form.js';
import { type PredictionCall, priceOf } from './prediction-call.js';

export interface GoodRun {
  call: PredictionCall;
  result: RunResult;
  chatMessageId: string;
  warnings: readonly Warning[];
  action: Json | undefined;
  trace: unknown;
}

export function answerOf({
  call,
  result,
  chatMessageId,
  warnings,
  action,
  trace,
}: GoodRun): PredictionAnswer {
  const { followUpPrompts, tokens, json } = result;
  return {
    text: result.text,
    ...(json === undefined ? {} : { json }),
    question: call.body.question,
    chatId: call.chatId,
    chatMessageId,
    sessionId: call.sessionId,
    executionId: call.apiCall.executionId,
    ...(action === undefined ? {} : { action }),
    // The widget parses this member itself: a string, not an array.
    ...(followUpPrompts === undefined ? {} : { followUpPrompts: JSON.stringify(followUpPrompts) }),
    usage: { credits: priceOf(call), ...tokens },
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
    ...(trace === undefined ? {} : { agentFlowExecutedData: trace }),
  };
}

/** Told to callers without the key in the place of a node's own words. */
export const NEUTRAL =
  'The flow failed. Its owner finds the reason in the execution log, under the execution id.';

/** A problem body for callers without the key, made from any: the words of a node are for the holder of the key alone. */
export function neutralFailure(problem: unknown): unknown {
  const { failedNode, ...others } = problem as Record<string, unknown>;
  return failedNode === undefined ? problem : { ...others, detail: NEUTRAL, message: NEUTRAL };
}

/**
 * 500: callers without the key get a neutral sentence; those who hold the flow's key get the node and its own message.
 */
export function flowFailed(call: PredictionCall, { nodeId, label, message }: NodeFailure): ServiceError {
  if (!call.seesFailures) return new ServiceError('flow_failed', NEUTRAL);
  return new ServiceError('flow_failed', message, {
    members: { failedNode: { id: nodeId, label } },
  });
}

export const COULD_NOT_CONTINUE =
  'The run could not go on: the database or the store of files was away, or had no room.';
const RESUMES = 'Send the call again: under its Idempotency-Key the run goes on where it was.';
const SEND_AGAIN = 'Send the message again later.';

/**
 * 503: a run that has begun, and whose caller is not answered. Nothing is wrong with the flow, so this is no answer to keep:
 * where it `resumable`, the same call is led to that run; else it would do again what the run has done.
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

/** A node met a part of the service that was away or had no room. */
export const couldNotContinue = (cause: Overloaded, resumable: boolean): ServiceError =>
  new RunUnanswered(cause, resumable, `${COULD_NOT_CONTINUE} ${resumable ? RESUMES : SEND_AGAIN}`);

const RESUMES_LATER =
  'The answer was taken. The database or the store of files is away: the run goes on by itself when it is back. Send the call again for what becomes of it.';

/** To the caller of a human's answer: it is decided, and its run, which has not begun, needs nobody to begin. */
export const resumesLater = (cause: Overloaded): ServiceError =>
  new RunUnanswered(cause, true, RESUMES_LATER);

/**
 * The error for the caller of a stopped run. A run that the service aborted is refunded; one that was stopped on demand
 * is not.
 */
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

/** 500: the flow of a run that had not ended is gone, which no caller can change. */
export const flowDeleted = (sentence: string): ServiceError =>
  new ServiceError('flow_deleted', `${sentence} The credits of the run were given back.`);

const END_PENDING =
  'The run has ended, but the database that keeps its end cannot be reached; it is written when the database is back.';
const ANSWERED_LATER = 'Send the call again under the same Idempotency-Key for the answer.';
const LOOK_FIRST = 'Look for its execution id before you send the message again: it would run once more.';

/** The run has ended, and its end is written when the database is back. */
export const endPending = (cause: unknown, resumable: boolean): ServiceError =>
  new RunUnanswered(
    new DatabaseAway(cause),
    resumable,
    `${END_PENDING} ${resumable ? ANSWERED_LATER : LOOK_FIRST}`,
  );

export const internalError = (): ServiceError =>
  new ServiceError(
    'internal_error',
    'The service failed unexpectedly. Try again; if it stays, report the execution id.',
  );

function withoutNode({ message, members }: Pick<StoredProblem, 'message' | 'members'>) {
  const { failedNode, ...others } = members;
  return failedNode === undefined ? { message, members } : { message: NEUTRAL, members: others };
}

/** An error as it is kept under an `Idempotency-Key`: enough to give the same body again. */
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
 * The ending that a kept answer stands for. A failure may have been told to the holder of the key: callers without get
 * the neutral sentence.
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
