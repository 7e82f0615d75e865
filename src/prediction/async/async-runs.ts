import { Injectable, type OnModuleInit } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { Budget, declareBudget } from '../../common/budgets/budget.js';
import { Readiness } from '../../common/health/readiness.js';
import { Logger } from '../../common/logger.js';
import type { CallContext } from '../../executions/calls/call-context.js';
import { RunningCalls } from '../../executions/calls/running-calls.js';
import { MOST_PROCESS_DEATHS, pauseAfter, type TakenRun, Takeover } from '../../executions/calls/takeover.js';
import type { PredictionEnding } from '../call/answer-form.js';
import type { PredictionCall } from '../call/prediction-call.js';
import { PredictionService, type StartedRun } from '../run/prediction.service.js';
import type { FrameLog } from '../stream/frame-log.js';
import { AsyncEnds } from './async-ends.js';
import { type AcceptedRun, AsyncOpening } from './async-opening.js';
import { Callbacks } from './callbacks.js';
import { type StoredRun, StoredCalls } from './stored-calls.js';

const answered = declareBudget({
  name: 'resumed runs under way',
  unit: 'runs',
  owner: 'caller',
  share: 200,
  total: 2_000,
  beyond: '429 quota_exceeded; 503 overloaded beyond the total',
  reason:
    'Answers to questions of runs: thirty clerks behind one address answer six each at once. Such a run continues when its caller leaves.',
});

/**
 * Runs whose callers do not wait (contract section 3), and runs resumed by a human's answer. They are durable and
 * charged before the caller is answered, run when they get their chat's lock, and answered at their address and by a
 * callback. They are bound to no process: a shutdown hands them over, and those of a dead process are taken over and
 * resumed from the journal (contract section 11).
 */
@Injectable()
export class AsyncRuns implements OnModuleInit {
  private readonly own = new Set<CallContext>();
  private readonly answered = new Budget(answered);

  constructor(
    private readonly opening: AsyncOpening,
    private readonly calls: StoredCalls,
    private readonly ends: AsyncEnds,
    private readonly callbacks: Callbacks,
    private readonly predictions: PredictionService,
    private readonly running: RunningCalls,
    private readonly takeover: Takeover,
    private readonly readiness: Readiness,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.takeover.resumeWith((run) => this.resume(run));
    // At the beginning of a shutdown, so that another process need not wait for its end.
    this.readiness.onStopping(() => {
      this.takeover.takeNoMore();
      for (const context of this.own) void this.handOver(context);
    });
  }

  /** Accepts a run whose caller does not wait. Throws 402, 429 `quota_exceeded` and 503 `overloaded`. */
  async accept(call: PredictionCall, context: CallContext): Promise<AcceptedRun> {
    const { accepted, run } = await this.opening.open(call, context, false);
    call.apiCall.recorded = true;
    // Frees up to 1 MiB while the run waits: the record and the store have the question.
    delete call.apiCall.question;
    void this.run(run, context);
    return accepted;
  }

  /**
   * Decides an approval for a caller who waits. Once this resolves the decision is durable, and the run is like the
   * others here: its caller only listens. Throws `ApprovalDecided`, 429 `quota_exceeded` and 503 `overloaded`.
   */
  async decide(call: PredictionCall, context: CallContext): Promise<StartedRun> {
    const { apiKeyId, address } = call.apiCall.caller;
    const leave = this.answered.take(apiKeyId ?? address, 1);
    const started = await this.startDecided(call, context).catch((error: unknown) => {
      leave();
      throw error;
    });
    void started.ending.finally(leave);
    return started;
  }

  private async startDecided(call: PredictionCall, context: CallContext): Promise<StartedRun> {
    const { run } = await this.opening.open(call, context, true);
    call.apiCall.recorded = true;
    const frames = call.streamed ? this.predictions.openFrames(call) : undefined;
    return { frames, ending: this.run(run, context, frames) };
  }

  private async run(stored: StoredRun, context: CallContext, frames?: FrameLog): Promise<PredictionEnding> {
    const run = this.ends.storedAtItsEnd(stored);
    let release = (): void => undefined;
    this.own.add(context);
    // Accepted or taken over while the shutdown began.
    if (this.readiness.isStopping) await this.handOver(context);
    const load = async () => {
      const loaded = await this.calls.load(run, context.signal);
      release = loaded.release;
      return loaded.call;
    };
    const ending = await this.predictions.runUnderLock(run, context, load, frames);
    release();
    this.own.delete(context);
    this.callbacks.hurry();
    await this.ends.removeCall(context.executionId, run.requestKey);
    return ending;
  }

  /** Resumes a run of a process that is gone, unless its call is gone or too many processes died. */
  private async resume(attempt: TakenRun): Promise<void> {
    try {
      const found = await this.calls.find(attempt);
      if (!found) return await this.ends.endUnrunnable(attempt);
      if (attempt.processDeaths >= MOST_PROCESS_DEATHS) return await this.endDeadly(attempt);
      this.running.add(found.context);
      await this.run(found.run, found.context);
    } catch (error) {
      // Handed over after a pause, for a retry by another process or this one.
      const { executionId } = attempt;
      this.logger.error({ err: error, executionId }, 'a run could not be resumed');
      await wait(pauseAfter(attempt), undefined, { ref: false });
      await this.takeover.handOver(attempt).catch(() => undefined);
    }
  }

  private async endDeadly(attempt: TakenRun): Promise<void> {
    const { executionId, processDeaths } = attempt;
    this.logger.error({ executionId, processDeaths }, 'a run was ended: the processes that ran it died');
    await this.ends.endDeadly(attempt);
    this.callbacks.hurry();
  }

  private async handOver(context: CallContext): Promise<void> {
    const given = await this.takeover.handOver(context).catch(() => false);
    // Cancelled only after the handover: before it, this would end the run.
    if (given) context.cancel('interrupted');
  }
}
