import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { FlowAccessOptions, GrantedAccess } from '../../auth/flow-call.js';
import { FlowAccess } from '../../auth/guards/flow-access.js';
import { AppConfig } from '../../common/app-config.js';
import { readJsonBody } from '../../common/bodies/request-body.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { InvalidRequest } from '../../common/service-error.js';
import { apiCallOf, noteRequestTexts, type RequestTexts } from '../../executions/api-call.js';
import type { PredictionCall } from '../call/prediction-call.js';
import { PredictionReader, type ReadCall } from '../http/prediction-reader.js';
import { PredictionResponder } from '../http/prediction-responder.js';
import { REQUEST_ID } from './openai-errors.js';

/** The flow is the body's `model`; an open flow must be offered here. */
export const OPENAI_ACCESS = { flowIdIn: 'body', offeredBy: 'openai' } as const satisfies FlowAccessOptions;

/** Reads a body after its caller was admitted to its flow. */
export type BodyReader = (body: unknown, access: GrantedAccess, request: Request) => Promise<ReadCall>;

/** Answers OpenAI clients: a prediction with another form of body and answer (contract section 12). */
@Injectable()
export class OpenAiCalls {
  constructor(
    private readonly config: AppConfig,
    private readonly access: FlowAccess,
    private readonly reader: PredictionReader,
    private readonly responder: PredictionResponder,
    private readonly admins: AdminGuard,
  ) {}

  answer(request: Request, response: Response, read: BodyReader): Promise<void> {
    response.setHeader(REQUEST_ID, apiCallOf(request).executionId);
    return this.responder.respond(request, response, () => this.callOf(request, read));
  }

  /** Reads the body within its limits, then checks its flow, then reads the rest of the body. */
  private async callOf(request: Request, read: BodyReader): Promise<PredictionCall> {
    const { body, flowId } = await this.bodyOf(request);
    const access = await this.access.admit(request, flowId, OPENAI_ACCESS);
    const { flow, apiKeyId } = access;
    const key = apiKeyId === undefined ? {} : { apiKeyId };
    const seesFailures = apiKeyId !== undefined || this.admins.holdsAdminKey(request);
    const granted = { flow, ...key, seesFailures };
    return this.reader.callOf(request, granted, await read(body, access, request));
  }

  /** Reads the body and its flow. Checks the address block before refusing a body without a flow. */
  private async bodyOf(request: Request): Promise<{ body: unknown; flowId: string }> {
    try {
      const body = await readJsonBody(request, this.config.maxJsonBytes);
      const texts = openAiRequestTexts(body);
      noteRequestTexts(apiCallOf(request), texts);
      if (texts.flowId !== undefined) return { body, flowId: texts.flowId };
      throw new InvalidRequest([{ path: 'model', message: 'is required: the id of the flow' }]);
    } catch (error) {
      await this.access.checkAddress(request);
      throw error;
    }
  }
}

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? (value as Members) : {};

/** Returns flow, chat and question of an unchecked body, for the record of a call that may be refused. */
function openAiRequestTexts(body: unknown): RequestTexts {
  const { model, metadata, messages, input } = membersOf(body);
  const chatId = membersOf(metadata)['chat_id'];
  const question = textOf(input ?? lastOfUser(messages));
  return {
    ...(typeof model === 'string' ? { flowId: model } : {}),
    ...(typeof chatId === 'string' ? { chatId } : {}),
    ...(question === undefined ? {} : { question }),
  };
}

const lastOfUser = (messages: unknown): unknown =>
  Array.isArray(messages)
    ? membersOf(messages.findLast((message) => membersOf(message)['role'] === 'user'))['content']
    : undefined;

/** Returns the first text of a text, a list of parts, or a list of messages. */
function textOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  const asked = lastOfUser(content);
  if (asked !== undefined) return textOf(asked);
  const texts = content.map((part) => membersOf(part)['text']);
  return texts.find((text) => typeof text === 'string');
}
