import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { keepBody } from '../common/body-room.js';
import { apiCallOf } from '../executions/api-call.js';
import { prefersAsync } from '../common/prefers-async.js';
import { InvalidRequest } from '../common/service-error.js';
import { callKeyOf } from '../executions/calls/call-key.js';
import { CallLives } from '../executions/calls/call-lives.js';
import type { KeptAnswer } from '../executions/idempotency.js';
import { type AcceptedRun, AsyncRuns } from './async/async-runs.js';
import { Audiences } from './audiences.js';
import { streamTo } from './event-stream.js';
import { fingerprintOf } from './fingerprint.js';
import { FrameLogs } from './frame-logs.js';
import type { PredictionCall } from './prediction-call.js';
import { type Ending, endingOfKept } from './prediction-answer.js';
import { type Granted, PredictionReader } from './prediction-reader.js';
import { closingEvents, PredictionService, type StartedRun } from './prediction.service.js';
import { beginning } from './wire-events.js';

/** Has the flow run, and answers as JSON or as a stream (description section 4.1). */
@Injectable()
export class PredictionResponder {
  constructor(
    private readonly reader: PredictionReader,
    private readonly lives: CallLives,
    private readonly predictions: PredictionService,
    private readonly asyncRuns: AsyncRuns,
    private readonly audiences: Audiences,
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
    const call = await this.reader.read(request, granted);
    const fingerprint = () => fingerprintOf(call.body);
    const key = callKeyOf(request, call.apiCall, { place: call.flow.id, fingerprint });
    const begun = await this.lives.begin(call.apiCall, key);
    if ('kept' in begun) {
      this.replay(response, call, begun.kept);
      return undefined;
    }
    const { life } = begun;
    try {
      const paid = life.earlier?.paid === true;
      const wanted = { ...(await this.reader.withStop(call)), paid };
      if (prefersAsync(request)) {
        answerAccepted(response, await this.asyncRuns.accept({ ...wanted, streamed: false }, life));
        return undefined;
      }
      if (call.body.callbackUrl !== undefined) throw onlyAsync();
      this.audiences.listen(life, response);
      return await this.predictions.start(wanted, life);
    } catch (error) {
      this.lives.over(life);
      throw await this.lives.fail(life, error);
    }
  }

  /** The same body again, or as a stream: INPROGRESS, one token, and the ending. The call has a record of its own. */
  private replay(response: Response, { apiCall, streamed, flow }: PredictionCall, kept: KeptAnswer): void {
    response.setHeader('Idempotent-Replay', 'true');
    if (kept.httpStatus === 202) return answerAccepted(response, kept.body as AcceptedRun);
    const ending = endingOfKept(kept);
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

function answerAccepted(response: Response, { executionId, status, location }: AcceptedRun): void {
  response.status(202).set({ Location: location, 'Preference-Applied': 'respond-async' });
  response.json({ executionId, status });
}

const onlyAsync = (): InvalidRequest =>
  new InvalidRequest([
    { path: 'callbackUrl', message: 'is for calls with the header Prefer: respond-async' },
  ]);
