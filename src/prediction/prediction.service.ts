import { Injectable } from '@nestjs/common';
import type { CallLife } from '../executions/calls/call-life.js';
import { CallLives } from '../executions/calls/call-lives.js';
import { FlowExecution } from './flow-execution.js';
import type { FrameLog } from './frame-log.js';
import { FrameLogs } from './frame-logs.js';
import { type Ending, metadataOf } from './prediction-answer.js';
import type { PredictionCall } from './prediction-call.js';
import { RunClosing } from './run-closing.js';
import { RunOpening } from './run-opening.js';
import { badEnding, beginning, goodEnding } from './wire-events.js';

/** A run that has passed all checks: it goes on by itself, whoever listens. */
export interface StartedRun {
  /** Where its frames go, when it is streamed. */
  frames: FrameLog | undefined;
  /** Resolves once the end is durable; never rejects. */
  ending: Promise<Ending>;
}

/**
 * Runs flows (description section 4.1): opens the record, lets the engine run, closes the record, in this order, for
 * both forms of an answer. The service owns the run; a client only listens.
 */
@Injectable()
export class PredictionService {
  constructor(
    private readonly opening: RunOpening,
    private readonly execution: FlowExecution,
    private readonly closing: RunClosing,
    private readonly lives: CallLives,
    private readonly frameLogs: FrameLogs,
  ) {}

  /** Passes the last checks (turn, credit) and starts the run. Throws what the caller is refused with. */
  async start(call: PredictionCall, life: CallLife): Promise<StartedRun> {
    const place = await this.opening.open(call, life);
    const frames = call.streamed ? this.openFrames(call) : undefined;
    const ending = this.runToEnd(call, life, frames).finally(() => {
      place?.leave();
      this.lives.over(life);
    });
    return { frames, ending };
  }

  /** A run that is open already, when its turn has come; never rejects. Nobody reads it as a stream. */
  async runInTurn(call: PredictionCall, life: CallLife): Promise<Ending> {
    try {
      const place = await this.opening.turnOf(call, life);
      return await this.runAndClose(call, life).finally(() => place?.leave());
    } catch (error) {
      return await this.closing.closeBroken(call, life, error);
    } finally {
      this.lives.over(life);
    }
  }

  private openFrames(call: PredictionCall): FrameLog {
    const frames = this.frameLogs.open(call.apiCall.executionId, call.flow.id);
    frames.append(beginning);
    return frames;
  }

  private async runToEnd(call: PredictionCall, life: CallLife, frames?: FrameLog): Promise<Ending> {
    const ending = await this.runAndClose(call, life, frames);
    if (frames) {
      for (const event of closingEvents(ending)) frames.append(event);
      this.frameLogs.retire(frames);
    }
    return ending;
  }

  private async runAndClose(call: PredictionCall, life: CallLife, frames?: FrameLog): Promise<Ending> {
    try {
      const { last, seen } = await this.execution.run(call, life, frames);
      return await this.closing.close(call, life, last, seen);
    } catch (error) {
      return this.closing.closeBroken(call, life, error);
    }
  }
}

/** How a stream ends. */
export const closingEvents = (ending: Ending) =>
  'answer' in ending
    ? goodEnding(metadataOf(ending.answer), ending.answer.agentFlowExecutedData)
    : badEnding(ending.error.message);
