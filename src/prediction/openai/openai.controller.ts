import { Controller, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { chatCompletion, openAiModels, openAiResponse } from '../../api/openai.js';
import { answered, EVENT_STREAM, idempotency, json, runErrors } from '../../api/route-note.js';
import { AddressBlockGuard } from '../../auth/guards/address-block.guard.js';
import { RequiresFlowAccess } from '../../auth/guards/flow-access.js';
import { CrossOrigin } from '../../common/http/cors.js';
import { ErrorsAs } from '../../common/http/error-forms.js';
import { Documented } from '../../common/http/route-table.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { apiCallOf } from '../../executions/api-call.js';
import { Recorded } from '../../executions/arrival/recorded-routes.js';
import { chatCompletionBody, readChatCompletion } from './chat-completion-body.js';
import { OPENAI_ACCESS, OpenAiCalls } from './openai-calls.js';
import { openAiErrors } from './openai-errors.js';
import { OpenAiModels } from './openai-models.js';
import { findPreviousResponse } from './previous-responses.js';
import { checkResponseRequest, readResponseRequest, responseBody } from './response-body.js';

const headers = [...idempotency.headers, 'X-Share-Link'] as const;

const SAME =
  'The same run as `POST /prediction/{flowId}`: the same checks, price and record. Errors have the form of OpenAI, with the codes of this service.';

const own = {
  metadata: '`chat_id`: the chat that the service remembers. Other members are ignored.',
  overrideConfig: 'As on a prediction.',
  humanInput: 'As on a prediction: answers the `action` of an earlier answer of this chat.',
};

const model = 'inspection-assistant';

/** Offers flows as models to OpenAI's clients (contract section 12): the base URL is this path. */
@CrossOrigin()
@ErrorsAs(openAiErrors)
@Controller('api/v1/openai')
export class OpenAiController {
  constructor(
    private readonly calls: OpenAiCalls,
    private readonly models: OpenAiModels,
    private readonly reader: DatabaseReader,
  ) {}

  @Documented({
    summary: 'List the flows that can be used as models',
    description:
      'The flows that the key of the call opens, and open flows with `openai`. A key that opens no flow is 401.',
    access: 'any-key',
    errors: ['address_blocked', 'invalid_api_key'],
    answers: answered('The models.', openAiModels),
  })
  @Get('models')
  @UseGuards(AddressBlockGuard)
  async list(@Req() request: Request) {
    return { object: 'list', data: await this.models.list(request) };
  }

  @Documented({
    summary: 'Run a flow as an OpenAI chat completion',
    description: `${SAME} \`model\` is the id of the flow, the last message of the user the question. With \`stream\` the answer is chunks and \`[DONE]\`; an error after the stream opened is a \`data:\` line with \`error\`, and nothing after it.`,
    headers,
    errors: runErrors,
    body: {
      json: chatCompletionBody,
      members: {
        ...own,
        messages: 'The conversation. The texts of earlier messages are the memory of the call.',
      },
      examples: {
        message: { model, messages: [{ role: 'user', content: 'Hello' }] },
        chat: {
          model,
          metadata: { chat_id: 'my-first-inspection' },
          messages: [{ role: 'user', content: 'Hello' }],
        },
      },
    },
    answers: {
      200: {
        description: 'The answer.',
        headers: ['X-Request-Id'],
        content: { ...json(chatCompletion), ...EVENT_STREAM },
      },
    },
  })
  @Recorded({ kind: 'prediction' })
  @Post('chat/completions')
  @HttpCode(200)
  @RequiresFlowAccess(OPENAI_ACCESS)
  completeChat(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, (body, { flow }) =>
      Promise.resolve(readChatCompletion(body, flow.id)),
    );
  }

  @Documented({
    summary: 'Run a flow as an OpenAI response',
    description: `${SAME} \`previous_response_id\` continues from any earlier response of the same flow and key (on an open flow, address), as long as its record is stored. With \`stream\` the answer is the events of a response.`,
    headers,
    errors: runErrors,
    body: {
      json: responseBody,
      members: own,
      examples: { message: { model, input: 'Hello' } },
    },
    answers: {
      200: {
        description: 'The answer.',
        headers: ['X-Request-Id'],
        content: { ...json(openAiResponse), ...EVENT_STREAM },
      },
    },
  })
  @Recorded({ kind: 'prediction' })
  @Post('responses')
  @HttpCode(200)
  @RequiresFlowAccess(OPENAI_ACCESS)
  respond(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, async (body, { flow }) => {
      const sent = checkResponseRequest(body);
      const { previous_response_id: id } = sent;
      const { caller } = apiCallOf(request);
      const previous = id == null ? undefined : await findPreviousResponse(this.reader, id, flow.id, caller);
      return readResponseRequest(sent, flow.id, previous);
    });
  }
}
