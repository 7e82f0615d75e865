import { Controller, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AddressBlockGuard } from '../../auth/guards/address-block.guard.js';
import { RequiresFlowAccess } from '../../auth/guards/requires-flow-access.decorator.js';
import { CrossOrigin } from '../../common/http/cors.js';
import { ErrorsAs } from '../../common/http/error-forms.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { apiCallOf } from '../../executions/api-call.js';
import { Recorded } from '../../executions/log/recorded-routes.js';
import { readChatCompletion } from './chat-completion-body.js';
import { OPENAI_ACCESS, OpenAiCalls } from './openai-calls.js';
import { openAiErrors } from './openai-errors.js';
import { OpenAiModels } from './openai-models.js';
import { findPreviousResponse } from './previous-responses.js';
import { checkResponseRequest, readResponseRequest } from './response-body.js';

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

  /** Lists the flows that the caller can name as `model`. */
  @Get('models')
  @UseGuards(AddressBlockGuard)
  async list(@Req() request: Request) {
    return { object: 'list', data: await this.models.list(request) };
  }

  /** Completes a chat. The memory of the call are the messages sent, or the service's own under `metadata.chat_id`. */
  @Recorded({ kind: 'prediction' })
  @Post('chat/completions')
  @HttpCode(200)
  @RequiresFlowAccess(OPENAI_ACCESS)
  completeChat(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, (body, { flow }) =>
      Promise.resolve(readChatCompletion(body, flow.id)),
    );
  }

  /** Creates a response. The service remembers: `previous_response_id` continues any earlier response. */
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
