import type { PredictionAnswer } from '../../api/predictions.js';
import { Overloaded } from '../../common/service-error.js';
import { foldWarnings, type Warning } from '../../common/warnings.js';
import { callerError } from '../../database/away.js';
import type { ApprovalRequest } from '../../executions/approvals/approval.js';
import { outcomeOf } from '../../executions/call-outcome.js';
import type { CallContext } from '../../executions/calls/call-context.js';
import type { FencedWrite } from '../../executions/calls/effect-journal.js';
import { MOST_ATTEMPTS } from '../../executions/calls/takeover.js';
import { newExecutionId } from '../../executions/execution-id.js';
import type { Measured, Outcome } from '../../executions/execution.js';
import type { ExecutionTrace } from '../../executions/log/node-traces.js';
import { RunInterrupted } from '../../executions/run-fence.js';
import type { NodeFailure, NodeRun, RunEvent } from '../../flows/engine/run-event.js';
import type { PredictionEnding } from '../call/answer-form.js';
import { couldNotContinue, flowFailed, storedProblem, cancellationError } from '../call/prediction-answer.js';
import type { PredictionCall } from '../call/prediction-call.js';
import { executedData } from './run-listeners.js';
import { priceOf } from './run-opening.js';
import type { GoodEvent, Remains } from './run-remains.js';

/** Input of the closing of a run, beside its last event. */
export interface RunSummary {
  measured: Measured;
  /** Ended node runs, for flows that show their trace. */
  nodes: readonly NodeRun[];
  warnings: readonly Warning[];
  /** The trace, of the first record if the run was resumed. */
  trace: ExecutionTrace;
  /** Writes of the journal still to be made. */
  owed: readonly FencedWrite[];
}

export type LastEvent = Extract<RunEvent, { type: 'finished' | 'waiting' | 'failed' | 'aborted' }>;

/** Content of the closing transaction, and the answer after it. */
export interface Closing {
  ending: PredictionEnding;
  outcome: Outcome;
  /** Changes to the chat by a successful run. */
  remains?: Remains;
  /** Answer to store under the `Idempotency-Key`. */
  answer?: { httpStatus: number; body: unknown };
  /** True if the service failed the run, not the flow: the same key resumes it. */
  resumable?: true;
  /** Set if the service failed a run that needs no retry by a caller: it does not end but resumes later. */
  halted?: Overloaded;
  /** Part of the trace written with the end. */
  trace?: string | undefined;
  /** Writes of the journal made with the end. */
  owed?: readonly FencedWrite[] | undefined;
}

/** Derives the closing transaction and the answer from a run's last event (contract section 3). */
export function closingOf(
  call: PredictionCall,
  context: CallContext,
  last: LastEvent,
  seen: RunSummary,
  made: { finishedAt: number; approval: ApprovalRequest | undefined },
): Closing {
  const { finishedAt } = made;
  switch (last.type) {
    case 'finished':
    case 'waiting':
      return successful(call, last, seen, made);
    case 'failed':
      return failed(call, context, last.failure, finishedAt);
    case 'aborted': {
      const error = cancellationError(context.cancelReason ?? 'stopped');
      return { ending: { error }, outcome: outcomeOf(error, finishedAt) };
    }
  }
}

/** Returns true if a run that met this error does not end: it needs no retry by a caller, and resumes later. */
export const mayResume = (call: PredictionCall, { attempt }: CallContext, error: Overloaded): boolean =>
  call.onEnded !== undefined && !(error instanceof RunInterrupted) && attempt < MOST_ATTEMPTS;

function failed(
  call: PredictionCall,
  context: CallContext,
  failure: NodeFailure,
  finishedAt: number,
): Closing {
  const { nodeId: id, label, message, code, cause } = failure;
  const reported = callerError(cause);
  const more = { error: message, failedNode: { id, label }, ...(code === undefined ? {} : { code }) };
  if (!(reported instanceof Overloaded)) {
    const error = flowFailed(call, failure);
    const outcome = outcomeOf(error, finishedAt, more);
    return { ending: { error }, outcome, answer: { httpStatus: 500, body: storedProblem(call, error) } };
  }
  // An async run, or one resumed by a human's answer, resumes by itself; its key leads to its end.
  const resumable = context.hasKey && call.onEnded === undefined;
  const isOver = reported instanceof RunInterrupted;
  const error = isOver ? reported : couldNotContinue(reported, resumable);
  const halts = mayResume(call, context, reported);
  return {
    ending: { error },
    outcome: outcomeOf(error, finishedAt, more),
    ...(resumable ? { resumable } : {}),
    ...(halts ? { halted: reported } : {}),
  };
}

function successful(
  call: PredictionCall,
  last: GoodEvent,
  seen: RunSummary,
  { finishedAt, approval }: { finishedAt: number; approval: ApprovalRequest | undefined },
): Closing {
  const { result } = last;
  const chatMessageId = newExecutionId(finishedAt);
  const answer = answerOf(call, last, seen, chatMessageId);
  const outcome: Outcome = {
    status: last.type === 'waiting' ? 'waiting' : 'succeeded',
    httpStatus: 200,
    answer: result.text,
    ...seen.measured,
    ...(result.tokens === undefined ? {} : { tokens: result.tokens }),
    finishedAt,
  };
  const turn = {
    ...{
      flowId: call.flow.id,
      chatId: call.chatId,
      id: chatMessageId,
      executionId: call.apiCall.executionId,
    },
    question: call.body.question,
    answer: result.text,
    uploads: call.body.uploads.map(({ type, name, mime }) => ({ type, name, mime })),
    at: finishedAt,
    ...(call.body.after === undefined ? {} : { follows: call.body.after }),
  };
  const remains: Remains = {
    turn,
    ...(result.stateChanged || call.body.startState.size > 0 ? { state: result.state } : {}),
    ...(approval === undefined ? {} : { approval }),
    ...(call.answers ? { answered: call.answers.name } : {}),
  };
  return { ending: { answer }, outcome, remains, answer: { httpStatus: 200, body: answer } };
}

function answerOf(
  call: PredictionCall,
  last: GoodEvent,
  seen: RunSummary,
  chatMessageId: string,
): PredictionAnswer {
  const { text, json, followUpPrompts, tokens, warnings } = last.result;
  const { definition, graph } = call.flow;
  const folded = foldWarnings(seen.warnings, warnings);
  return {
    text,
    ...(json === undefined ? {} : { json }),
    question: call.body.question,
    chatId: call.chatId,
    chatMessageId,
    sessionId: call.sessionId,
    executionId: call.apiCall.executionId,
    ...(last.type === 'waiting' ? { action: last.approval.action } : {}),
    // The widget parses this member: a string, not an array.
    ...(followUpPrompts === undefined ? {} : { followUpPrompts: JSON.stringify(followUpPrompts) }),
    usage: { credits: priceOf(call), ...tokens },
    ...(folded.length === 0 ? {} : { warnings: [...folded] }),
    ...(definition.exposeTrace ? { agentFlowExecutedData: executedData(seen.nodes, graph) } : {}),
  };
}
