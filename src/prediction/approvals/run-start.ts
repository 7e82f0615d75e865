import { Injectable } from '@nestjs/common';
import type { CallLife } from '../../executions/calls/call-life.js';
import { CallLives } from '../../executions/calls/call-lives.js';
import type { KeptAnswer } from '../../executions/calls/key-entry.js';
import type { AcceptedRun } from '../async/accepted-run.js';
import { StopDecided } from '../async/async-opening.js';
import { AsyncRuns } from '../async/async-runs.js';
import { Callbacks } from '../async/callbacks.js';
import type { HumanInput } from '../call/prediction-body.js';
import type { PredictionCall } from '../call/prediction-call.js';
import { PredictionService, type StartedRun } from '../run/prediction.service.js';
import { HumanAnswers } from './human-answers.js';

/** The beginning of a call whose key is new: a run, one that nobody waits for, or the answer to an earlier click. */
export type Start = { started: StartedRun } | { accepted: AcceptedRun } | { kept: KeptAnswer };

/** Starts the run of a call, or continues the one whose question the call answers. */
@Injectable()
export class RunStart {
  constructor(
    private readonly predictions: PredictionService,
    private readonly asyncRuns: AsyncRuns,
    private readonly answers: HumanAnswers,
    private readonly lives: CallLives,
    private readonly callbacks: Callbacks,
  ) {}

  /**
   * Passes the last checks. Throws the refusal, 400 for a `callbackUrl` that may not be called; a caller that gets a kept
   * answer has nothing to end.
   */
  async start(call: PredictionCall, life: CallLife, isAsync: boolean): Promise<Start> {
    const { humanInput } = call.body;
    if (isAsync) this.callbacks.check(call);
    if (humanInput) return this.answer(call, humanInput, life, isAsync);
    if (isAsync) return { accepted: await this.asyncRuns.accept(call, life) };
    return { started: await this.predictions.start(call, life) };
  }

  /**
   * The first click on a stop decides it. A later click that says the same gets the answer of the first, or the address of
   * its run where it does not wait; any other gets 409. Between the reading and the decision another click may win.
   */
  private async answer(
    call: PredictionCall,
    click: HumanInput,
    life: CallLife,
    isAsync: boolean,
  ): Promise<Start> {
    const stop = await this.answers.stopOf(call, click);
    if (!stop.decision) {
      const { name, executionId, runId } = stop;
      const deciding = { ...call, answers: { name, executionId, runId } };
      try {
        if (isAsync) return { accepted: await this.asyncRuns.accept(deciding, life) };
        return { started: await this.asyncRuns.decide(deciding, life) };
      } catch (error) {
        if (!(error instanceof StopDecided)) throw error;
      }
    }
    const decided = await this.answers.again(stop);
    const kept =
      (isAsync ? await this.answers.acceptedThen(decided, click) : undefined) ??
      (await this.answers.asThen(decided, click, call, life));
    await this.lives.giveUp(life);
    call.apiCall.replays = { executionId: kept.executionId, status: kept.status };
    return { kept };
  }
}
