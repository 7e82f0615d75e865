import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AppConfig } from '../common/app-config.js';
import { keepBody } from '../common/body-room.js';
import { apiCallOf } from '../executions/api-call.js';
import { idempotencyKeyOf, wantsReplayAlone } from '../executions/idempotency-key.js';
import { ActiveRun } from './active-run.js';
import { ActiveRuns } from './active-runs.js';
import { streamTo } from './event-stream.js';
import { FrameLogs } from './frame-logs.js';
import type { Ending } from './prediction-answer.js';
import type { PredictionCall } from './prediction-call.js';
import { type Granted, PredictionReader } from './prediction-reader.js';
import { closingEvents, PredictionService, type StartedRun } from './prediction.service.js';
import { Replays } from './replays.js';
import { beginning } from './wire-events.js';

/** Has the flow run, and answers as JSON or as a stream (description section 4.1). */
@Injectable()
export class PredictionResponder {
  constructor(
    private readonly config: AppConfig,
    private readonly reader: PredictionReader,
    private readonly predictions: PredictionService,
    private readonly runs: ActiveRuns,
    private readonly replays: Replays,
    private readonly frameLogs: FrameLogs,
  ) {}

  /** What the call holds in memory is counted until its run has ended, with or without a listener. */
  async respond(request: Request, response: Response, granted: Granted): Promise<void> {
    const letGo = keepBody(request);
    let started: StartedRun | undefined;
    try {
      const begun = this.begin(request, response, granted);
      apiCallOf(request).opening = begun;
      started = await begun;
    } finally {
      if (started) void started.ending.then(letGo);
      else letGo();
    }
    if (started?.frames) streamTo(response, started.frames, 0);
    else if (started) answerOnce(response, await started.ending);
  }

  /** Nothing for a call that was answered with a kept answer. */
  private async begin(
    request: Request,
    response: Response,
    granted: Granted,
  ): Promise<StartedRun | undefined> {
    const key = idempotencyKeyOf(request);
    const replayAlone = wantsReplayAlone(request);
    const call = await this.reader.read(request, granted);
    this.runs.refuseWhileStopping();
    const kept = key === undefined ? undefined : await this.replays.find(call, key, replayAlone);
    if (kept) {
      this.replay(response, call, kept);
      return undefined;
    }
    const run = new ActiveRun(call.apiCall.executionId, call.flow.id, call.chatId, this.config.streamGraceMs);
    run.listen(response);
    return this.start(call, run);
  }

  private async start(call: PredictionCall, run: ActiveRun): Promise<StartedRun> {
    try {
      return await this.predictions.start(await this.reader.withStop(call), run);
    } catch (error) {
      run.end();
      if (call.keepsAnswer) await this.replays.release(call);
      throw error;
    }
  }

  /** The same body again, or as a stream: INPROGRESS, one token, and the ending. The call has a record of its own. */
  private replay(response: Response, { apiCall, streamed, flow }: PredictionCall, ending: Ending): void {
    response.setHeader('Idempotent-Replay', 'true');
    if (!streamed) return answerOnce(response, ending);
    const frames = this.frameLogs.open(apiCall.executionId, flow.id);
    frames.append(beginning);
    if ('answer' in ending) frames.append({ event: 'token', data: ending.answer.text });
    for (const event of closingEvents(ending)) frames.append(event);
    this.frameLogs.retire(frames);
    streamTo(response, frames, 0);
  }
}

function answerOnce(response: Response, ending: Ending): void {
  if ('error' in ending) throw ending.error;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(JSON.stringify(ending.answer));
}
