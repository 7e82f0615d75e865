import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { randomUUID } from 'node:crypto';
import { AppConfig } from '../../common/app-config.js';
import { holdBody } from '../../common/bodies/body-room.js';
import { linkOrigin } from '../../common/http/own-origin.js';
import type { Warning } from '../../common/warnings.js';
import { type ApiCall, apiCallOf } from '../../executions/calls/api-call.js';
import type { Flow } from '../../flows/definition/flow.js';
import { ChatUploads } from '../clients/chat-uploads.js';
import type { AnswerForm } from './answer-form.js';
import type { PredictionBody } from './prediction-body.js';
import type { PredictionCall } from './prediction-call.js';
import { predictionForm } from './prediction-form.js';
import { readPrediction } from './read-prediction.js';

/** The rights of the caller, as far as the checks before the body have established them. */
export interface Granted {
  flow: Flow;
  apiKeyId?: string;
  /** The caller may know which node failed and why: it holds the flow's key, or is an admin. */
  seesFailures: boolean;
}

/** A body that was read and checked, and how its call is answered. */
export interface ReadCall {
  body: PredictionBody;
  form: AnswerForm;
  warnings?: readonly Warning[];
}

/** Makes a call of a request: reads and checks its body, and loads everything that the body only names. */
@Injectable()
export class PredictionReader {
  constructor(
    private readonly config: AppConfig,
    private readonly uploads: ChatUploads,
  ) {}

  async read(request: Request, granted: Granted): Promise<PredictionCall> {
    noteFlow(apiCallOf(request), granted);
    const body = await readPrediction(request, this.config);
    return this.callOf(request, granted, { body, form: predictionForm });
  }

  /** The same for a body that was read elsewhere. */
  async callOf(
    request: Request,
    granted: Granted,
    { body, form, warnings = [] }: ReadCall,
  ): Promise<PredictionCall> {
    const { flow, apiKeyId, seesFailures } = granted;
    const apiCall = apiCallOf(request);
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
      form,
      streamed: body.streaming && (form.streamsAlways || flow.streamable),
      warnings,
      seesFailures,
      apiKeyId,
      publicUrl: linkOrigin(request, this.config),
    };
  }
}

function noteFlow(apiCall: ApiCall, { flow, apiKeyId }: Granted): void {
  apiCall.flowId = flow.id;
  apiCall.flowName = flow.name;
  if (apiKeyId !== undefined) apiCall.caller = { ...apiCall.caller, apiKeyId };
}
