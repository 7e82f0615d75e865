import { Injectable } from '@nestjs/common';
import { Overloaded } from '../../common/service-error.js';
import { callerError } from '../../database/away.js';
import type { CallContext } from '../../executions/calls/call-context.js';
import { CallLifecycle } from '../../executions/calls/call-lifecycle.js';
import type { FencedWrite } from '../../executions/calls/effect-journal.js';
import { RunInterrupted } from '../../executions/run-fence.js';
import { RunBudget } from '../../flows/engine/run-budget.js';
import type { PredictionEnding } from '../call/answer-form.js';
import { resumesLater, cancellationError } from '../call/prediction-answer.js';
import type { PredictionCall } from '../call/prediction-call.js';
import type { Chat } from '../memory/chat-memory.js';
import type { FrameLog } from '../stream/frame-log.js';
import { LiveStreams } from '../stream/live-streams.js';
import { beginning } from '../stream/prediction-form.js';
import { FlowExecution } from './flow-execution.js';
import { type EndingCall, RunClosing } from './run-closing.js';
import { RunHalted, RunHandover } from './run-handover.js';
import { callerOf } from './run-input.js';
import { RunOpening } from './run-opening.js';
import { mayResume } from './run-outcomes.js';

/** A started run: it runs to its end, with or without listeners. */
export interface StartedRun {
  /** Log of its frames, if it is streamed. */
  frames: FrameLog | undefined;
  /** Resolves once the end is durable; never rejects. */
  ending: Promise<PredictionEnding>;
}

/** A run that waits for its chat's lock. */
export interface WaitingRun extends EndingCall {
  readonly chat: Chat;
}

/**
 * Runs flows (description section 4.1): opens the record, runs the engine, closes the record. The service owns the run;
 * a client only listens.
 */
@Injectable()
export class PredictionService {
  constructor(
    private readonly opening: RunOpening,
    private readonly execution: FlowExecution,
    private readonly closing: RunClosing,
    private readonly lifecycle: CallLifecycle,
    private readonly liveStreams: LiveStreams,
    private readonly handover: RunHandover,
  ) {}

  /** Takes the chat's lock, charges the run and starts it. Throws the refusal. */
  async start(call: PredictionCall, context: CallContext): Promise<StartedRun> {
    const place = await this.opening.open(call, context);
    const frames = call.streamed ? this.openFrames(call) : undefined;
    const ending = this.runToEnd(call, context, frames).finally(() => {
      place?.leave();
      this.lifecycle.over(context);
    });
    return { frames, ending };
  }

  /**
   * Runs an open run that outlives its process: takes its chat's lock, then loads the call and runs it. Never rejects.
   * If it cannot begin or continue because the database or the store is away, it is handed over.
   */
  async runUnderLock(
    waiting: WaitingRun,
    context: CallContext,
    load: () => Promise<PredictionCall>,
    frames?: FrameLog,
  ): Promise<PredictionEnding> {
    const ending = await this.lockAndRun(waiting, context, load, frames);
    if (frames) this.liveStreams.retire(frames, ending);
    return ending;
  }

  private async lockAndRun(
    waiting: WaitingRun,
    context: CallContext,
    load: () => Promise<PredictionCall>,
    frames: FrameLog | undefined,
  ): Promise<PredictionEnding> {
    try {
      const place = await this.opening.waitForChatLock(waiting.chat, context);
      try {
        return await this.runAndClose(await load(), context, frames);
      } finally {
        place.leave();
      }
    } catch (error) {
      const { cause, owed } = error instanceof RunHalted ? error : { cause: error, owed: [] };
      const reported = callerError(cause);
      const mayPass = reported instanceof Overloaded && !(reported instanceof RunInterrupted);
      if (mayPass && (await this.handover.handOver(context, owed, reported)))
        return { error: resumesLater(reported) };
      const { cancelReason } = context;
      const end = cancelReason === undefined ? cause : cancellationError(cancelReason);
      return await this.closing.closeBroken(waiting, context, end, { owed });
    } finally {
      this.lifecycle.over(context);
    }
  }

  openFrames(call: PredictionCall): FrameLog {
    const { executionId } = call.apiCall;
    const frames = this.liveStreams.open(executionId, call.flow.id, call.form.stream(executionId));
    frames.append(beginning);
    return frames;
  }

  private async runToEnd(
    call: PredictionCall,
    context: CallContext,
    frames?: FrameLog,
  ): Promise<PredictionEnding> {
    const ending = await this.runAndClose(call, context, frames);
    if (frames) this.liveStreams.retire(frames, ending);
    return ending;
  }

  private async runAndClose(
    call: PredictionCall,
    context: CallContext,
    frames?: FrameLog,
  ): Promise<PredictionEnding> {
    const budget = new RunBudget({ flowId: call.flow.id, caller: callerOf(call) });
    let owed: readonly FencedWrite[] = [];
    try {
      const { last, seen } = await this.execution.run(call, context, frames, budget);
      owed = seen.owed;
      return await this.closing.close(call, context, last, seen);
    } catch (error) {
      if (error instanceof RunHalted) throw error;
      const reported = callerError(error);
      if (reported instanceof Overloaded && mayResume(call, context, reported))
        throw new RunHalted(reported, owed);
      return await this.closing.closeBroken(call, context, error);
    } finally {
      budget.end();
    }
  }
}
