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
@Injectable()
export class RunOutcomes {
  constructor(
    private readonly remains: RunRemains,
    private readonly clock: Clock,
  ) {}

  /** Returns the closing of a run. Rejects if the first call of a waiting run cannot be stored. */
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
          // An async run, or one resumed by a human's answer, resumes by itself; its key leads to its end.
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
