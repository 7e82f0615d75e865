import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Overloaded } from '../../common/service-error.js';
import { foldWarnings, type Warning } from '../../common/warnings.js';
import { toldOf } from '../../database/away.js';
import { outcomeOf } from '../../executions/call-outcome.js';
import type { CallContext } from '../../executions/calls/call-context.js';
import type { FencedWrite } from '../../executions/calls/effect-journal.js';
import { MOST_ATTEMPTS } from '../../executions/calls/takeover.js';
import { newExecutionId } from '../../executions/execution-id.js';
import type { Measured, Outcome } from '../../executions/execution.js';
import type { ExecutionTrace } from '../../executions/log/node-traces.js';
import { RunInterrupted } from '../../executions/run-fence.js';
import type { NodeRun, RunEvent } from '../../flows/engine/run-event.js';
import type { PredictionEnding } from '../call/answer-form.js';
import {
  answerOf,
  couldNotContinue,
  flowFailed,
  storedProblem,
  cancellationError,
} from '../call/prediction-answer.js';
import type { PredictionCall } from '../call/prediction-call.js';
import { executedData } from './run-listeners.js';
import { type GoodEvent, type Remains, RunRemains } from './run-remains.js';

/** Everything about a run that its closing needs beside its last event. */
export interface RunSummary {
  measured: Measured;
  /** Node runs that ended, for flows that show their trace. */
  nodes: readonly NodeRun[];
  warnings: readonly Warning[];
  /** A call that resumes another's run appends to the trace of that. */
  trace: ExecutionTrace;
  /** Notes of the journal that are still to be made. */
  owed: readonly FencedWrite[];
}

export type LastEvent = Extract<RunEvent, { type: 'finished' | 'waiting' | 'failed' | 'aborted' }>;

/** The content of the closing transaction, and the answer to the caller after it. */
export interface Closing {
  ending: PredictionEnding;
  outcome: Outcome;
  /** Left in its chat by a run that ended well. */
  remains?: Remains;
  /** An answer to be replayed to the same `Idempotency-Key`. */
  answer?: { httpStatus: number; body: unknown };
  /** The service failed the run, not the flow: its key leads to it again, with what it has done. */
  resumable?: true;
  /** The service failed a run that nobody needs to send again: it does not end, but goes on later, for this reason. */
  halted?: Overloaded;
  /** The part of the trace that is written with the end. */
  trace?: string | undefined;
  /** Notes of the journal that are written with the end. */
  owed?: readonly FencedWrite[] | undefined;
}

/** Makes of a run's last event what its closing transaction writes and what its caller is answered (contract section 3). */
@Injectable()
export class RunOutcomes {
  constructor(
    private readonly remains: RunRemains,
    private readonly clock: Clock,
  ) {}

  /** Rejects where the first call of a run that stopped cannot be stored. */
  async closingOf(
    call: PredictionCall,
    context: CallContext,
    last: LastEvent,
    seen: RunSummary,
  ): Promise<Closing> {
    const finishedAt = this.clock.now();
    switch (last.type) {
      case 'finished':
      case 'waiting':
        return this.good(call, context, last, seen, finishedAt);
      case 'failed': {
        const { nodeId: id, label, message, code, cause } = last.failure;
        const reported = toldOf(cause);
        const more = { error: message, failedNode: { id, label }, ...(code === undefined ? {} : { code }) };
        if (reported instanceof Overloaded) {
          // One that nobody waits for, or that a human's answer began, goes on by itself, and its key leads to its end.
          const outlives = call.onEnded !== undefined;
          const resumable = context.hasKey && !outlives;
          const isOver = reported instanceof RunInterrupted;
          const error = isOver ? reported : couldNotContinue(reported, resumable);
          const outcome = outcomeOf(error, finishedAt, more);
          const halts = outlives && !isOver && context.attempt < MOST_ATTEMPTS;
          return {
            ending: { error },
            outcome,
            ...(resumable ? { resumable } : {}),
            ...(halts ? { halted: reported } : {}),
          };
        }
        const error = flowFailed(call, last.failure);
        const outcome = outcomeOf(error, finishedAt, more);
        return { ending: { error }, outcome, answer: { httpStatus: 500, body: storedProblem(call, error) } };
      }
      case 'aborted': {
        const error = cancellationError(context.cancelReason ?? 'stopped');
        return { ending: { error }, outcome: outcomeOf(error, finishedAt) };
      }
    }
  }

  private async good(
    call: PredictionCall,
    context: CallContext,
    last: GoodEvent,
    seen: RunSummary,
    finishedAt: number,
  ): Promise<Closing> {
    const { result } = last;
    const chatMessageId = newExecutionId(finishedAt);
    const warnings = foldWarnings(seen.warnings, result.warnings);
    const action = last.type === 'waiting' ? last.stop.action : undefined;
    const trace = call.flow.definition.exposeTrace ? executedData(seen.nodes, call.flow.graph) : undefined;
    const answer = answerOf({ call, result, chatMessageId, warnings, action, trace });
    const outcome: Outcome = {
      status: last.type === 'waiting' ? 'waiting' : 'succeeded',
      httpStatus: 200,
      answer: result.text,
      ...seen.measured,
      ...(result.tokens === undefined ? {} : { tokens: result.tokens }),
      finishedAt,
    };
    const chat = { flowId: call.flow.id, chatId: call.chatId };
    const { executionId } = call.apiCall;
    const turn = {
      ...chat,
      id: chatMessageId,
      executionId,
      question: call.body.question,
      answer: result.text,
      uploads: call.body.uploads.map(({ type, name, mime }) => ({ type, name, mime })),
      at: finishedAt,
      ...(call.body.after === undefined ? {} : { follows: call.body.after }),
    };
    const { state, stateChanged } = result;
    const approval = await this.remains.asked(call, context, last, finishedAt);
    const remains: Remains = {
      turn,
      ...(stateChanged || call.body.startState.size > 0 ? { state } : {}),
      ...(approval === undefined ? {} : { approval }),
      ...(call.answers ? { answered: call.answers.name } : {}),
    };
    return { ending: { answer }, outcome, remains, answer: { httpStatus: 200, body: answer } };
  }
}
