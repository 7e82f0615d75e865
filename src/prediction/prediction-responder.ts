import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { randomUUID } from 'node:crypto';
import { AppConfig } from '../common/app-config.js';
import { publicUrlOf } from '../common/public-url.js';
import { type ApiCall, apiCallOf } from '../executions/api-call.js';
import { idempotencyKeyOf } from '../executions/idempotency-key.js';
import type { Flow } from '../flows/definition/flow.js';
import { ActiveRun } from './active-run.js';
import { ActiveRuns } from './active-runs.js';
import { streamTo } from './event-stream.js';
import { FrameLogs } from './frame-logs.js';
import { ChatMemory } from './memory/chat-memory.js';
import type { Ending } from './prediction-answer.js';
import type { PredictionBody } from './prediction-body.js';
import type { PredictionCall } from './prediction-call.js';
import { closingEvents, PredictionService } from './prediction.service.js';
import { readPrediction } from './read-prediction.js';
import { Replays } from './replays.js';
import { nothingWaits } from './run-opening.js';
import { beginning } from './wire-events.js';

/** Whom the answer is for, as far as the checks before the body have found out. */
export interface Granted {
  flow: Flow;
  apiKeyId?: string;
  /** The caller may know which node failed and why: it holds the flow's key, or is an admin. */
  seesFailures: boolean;
}

/** Reads the body of a call, has the flow run, and answers as JSON or as a stream (description section 4.1). */
@Injectable()
export class PredictionResponder {
  constructor(
    private readonly config: AppConfig,
    private readonly predictions: PredictionService,
    private readonly runs: ActiveRuns,
    private readonly replays: Replays,
    private readonly frameLogs: FrameLogs,
    private readonly memory: ChatMemory,
  ) {}

  async respond(request: Request, response: Response, granted: Granted): Promise<void> {
    const apiCall = apiCallOf(request);
    noteFlow(apiCall, granted);
    const key = idempotencyKeyOf(request);
    const body = await readPrediction(request, this.config);
    const call = this.callOf(apiCall, granted, body, publicUrlOf(request, this.config), key !== undefined);
    this.runs.refuseWhileStopping();
    const kept = key === undefined ? undefined : await this.replays.find(call, key);
    if (kept) return this.replay(response, call, kept);
    const run = new ActiveRun(apiCall.executionId, call.flow.id, call.chatId, this.config.streamGraceMs);
    listen(response, run);
    const started = await this.start(call, run);
    if (started.frames) streamTo(response, started.frames, 0);
    else answerOnce(response, await started.ending);
  }

  private async start(call: PredictionCall, run: ActiveRun) {
    try {
      return await this.predictions.start(await this.withStop(call), run);
    } catch (error) {
      if (call.keepsAnswer) await this.replays.release(call);
      throw error;
    }
  }

  private callOf(
    apiCall: ApiCall,
    { flow, apiKeyId, seesFailures }: Granted,
    body: PredictionBody,
    publicUrl: string,
    keepsAnswer: boolean,
  ): PredictionCall {
    const chatId = body.chatId ?? randomUUID();
    apiCall.chatId = chatId;
    apiCall.question = body.question;
    return {
      apiCall,
      flow,
      body,
      chatId,
      sessionId: body.sessionId ?? chatId,
      streamed: body.streaming && flow.streamable,
      seesFailures,
      apiKeyId,
      publicUrl,
      keepsAnswer,
    };
  }

  /** A human's answer goes on with the run of this chat that waits for one. */
  private async withStop(call: PredictionCall): Promise<PredictionCall> {
    if (!call.body.humanInput) return call;
    const resumes = await this.memory.stop({ flowId: call.flow.id, chatId: call.chatId });
    if (!resumes) throw nothingWaits();
    return { ...call, resumes };
  }

  /** The same body again, or as a stream: INPROGRESS, one token, and the ending. The call has a record of its own. */
  private replay(
    response: Response,
    { apiCall, streamed, flow }: PredictionCall,
    { executionId, ending }: { executionId: string; ending: Ending },
  ): void {
    apiCall.replayOf = executionId;
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

function noteFlow(apiCall: ApiCall, { flow, apiKeyId }: Granted): void {
  apiCall.flowId = flow.id;
  apiCall.flowName = flow.name;
  if (apiKeyId !== undefined) apiCall.caller = { ...apiCall.caller, apiKeyId };
}

/** A caller that hangs up, of either form, only stops listening. */
function listen(response: Response, run: ActiveRun): void {
  run.attach();
  if (response.closed) run.detach();
  else response.once('close', () => run.detach());
}

function answerOnce(response: Response, ending: Ending): void {
  if ('error' in ending) throw ending.error;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(JSON.stringify(ending.answer));
}
