import { Injectable } from '@nestjs/common';
import { ExecutionLog } from '../executions/execution-log.js';
import type { ActiveRun } from './active-run.js';
import { ActiveRuns } from './active-runs.js';
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
    private readonly runs: ActiveRuns,
    private readonly frameLogs: FrameLogs,
    log: ExecutionLog,
  ) {
    log.onCancel((executionId) => runs.stop(executionId, 'cancelled'));
  }

  /** Passes the last checks (turn, credit) and starts the run. Throws what the caller is refused with. */
  async start(call: PredictionCall, run: ActiveRun): Promise<StartedRun> {
    this.runs.add(run);
    try {
      const place = await this.opening.open(call, run);
      const frames = call.streamed ? this.openFrames(call) : undefined;
      const ending = this.runToEnd(call, run, frames).finally(() => {
        place?.leave();
        this.runs.remove(run);
      });
      return { frames, ending };
    } catch (error) {
      this.runs.remove(run);
      throw error;
    }
  }

  private openFrames(call: PredictionCall): FrameLog {
    const frames = this.frameLogs.open(call.apiCall.executionId, call.flow.id);
    frames.append(beginning);
    return frames;
  }

  private async runToEnd(call: PredictionCall, run: ActiveRun, frames?: FrameLog): Promise<Ending> {
    const ending = await this.runAndClose(call, run, frames);
    if (frames) {
      for (const event of closingEvents(ending)) frames.append(event);
      this.frameLogs.retire(frames);
    }
    return ending;
  }

  private async runAndClose(call: PredictionCall, run: ActiveRun, frames?: FrameLog): Promise<Ending> {
    try {
      const { last, seen } = await this.execution.run(call, run, frames);
      return await this.closing.close(call, run, last, seen);
    } catch (error) {
      return this.closing.closeBroken(call, error);
    }
  }
}

/** How a stream ends. */
export const closingEvents = (ending: Ending) =>
  'answer' in ending
    ? goodEnding(metadataOf(ending.answer), ending.answer.agentFlowExecutedData)
    : badEnding(ending.error.message);
