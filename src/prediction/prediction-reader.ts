import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { randomUUID } from 'node:crypto';
import { AppConfig } from '../common/app-config.js';
import { holdBody } from '../common/body-room.js';
import { linkOrigin } from '../common/own-origin.js';
import { type ApiCall, apiCallOf } from '../executions/api-call.js';
import type { Flow } from '../flows/definition/flow.js';
import { ChatUploads } from './clients/chat-uploads.js';
import { ChatMemory } from './memory/chat-memory.js';
import type { PredictionCall } from './prediction-call.js';
import { readPrediction } from './read-prediction.js';
import { nothingWaits } from './run-opening.js';

/** Whom the answer is for, as far as the checks before the body have found out. */
export interface Granted {
  flow: Flow;
  apiKeyId?: string;
  /** The caller may know which node failed and why: it holds the flow's key, or is an admin. */
  seesFailures: boolean;
}

/** Makes a call of a request: its body, read and checked, with everything that the body only names. */
@Injectable()
export class PredictionReader {
  constructor(
    private readonly config: AppConfig,
    private readonly uploads: ChatUploads,
    private readonly memory: ChatMemory,
  ) {}

  async read(request: Request, granted: Granted): Promise<PredictionCall> {
    const { flow, apiKeyId, seesFailures } = granted;
    const apiCall = apiCallOf(request);
    noteFlow(apiCall, granted);
    const body = await readPrediction(request, this.config);
    const chatId = body.chatId ?? randomUUID();
    apiCall.chatId = chatId;
    apiCall.question = body.question;
    const uploads = await this.uploads.fill({ flowId: flow.id, chatId }, body.uploads, (bytes) =>
      holdBody(request, bytes),
    );
    return {
      apiCall,
      flow,
      body: { ...body, uploads },
      chatId,
      sessionId: body.sessionId ?? chatId,
      streamed: body.streaming && flow.streamable,
      seesFailures,
      apiKeyId,
      publicUrl: linkOrigin(request, this.config),
    };
  }

  /** A human's answer goes on with the run of this chat that waits for one. */
  async withStop(call: PredictionCall): Promise<PredictionCall> {
    if (!call.body.humanInput) return call;
    const resumes = await this.memory.stop({ flowId: call.flow.id, chatId: call.chatId });
    if (!resumes) throw nothingWaits();
    return { ...call, resumes };
  }
}

function noteFlow(apiCall: ApiCall, { flow, apiKeyId }: Granted): void {
  apiCall.flowId = flow.id;
  apiCall.flowName = flow.name;
  if (apiKeyId !== undefined) apiCall.caller = { ...apiCall.caller, apiKeyId };
}
