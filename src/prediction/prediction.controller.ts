import { Controller, Get, HttpCode, Param, Post, Put, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { FlowAccess } from '../auth/flow-access.decorator.js';
import { flowAccessOf } from '../auth/flow-access.js';
import { PredictionResponder } from './prediction-responder.js';
import { StreamResume } from './stream-resume.js';
import { ChatAbort } from './chat-abort.js';

/** Running a flow over HTTP (description section 4.1, contract section 3). */
@Controller('api/v1')
export class PredictionController {
  constructor(
    private readonly responder: PredictionResponder,
    private readonly streams: StreamResume,
    private readonly aborts: ChatAbort,
  ) {}

  /** Answers as JSON, or as a stream where the caller asks for one and the flow ends in a streamable node. */
  @Post('prediction/:flowId')
  @HttpCode(200)
  @FlowAccess()
  predict(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { flow, apiKeyId } = flowAccessOf(request);
    const key = apiKeyId === undefined ? {} : { apiKeyId };
    return this.responder.respond(request, response, { flow, ...key, seesFailures: apiKeyId !== undefined });
  }

  /** Goes on with a stream where `Last-Event-ID` says that it broke off. */
  @Get('prediction/:flowId/stream')
  @FlowAccess({ rateLimit: false })
  resume(@Req() request: Request, @Res() response: Response): void {
    this.streams.resume(flowAccessOf(request).flow.id, request.headers['last-event-id'], response);
  }

  /** Stops what a chat has running. */
  @Put('chatmessage/abort/:flowId/:chatId')
  @FlowAccess({ rateLimit: false, missCountsOnce: true })
  async abort(@Req() request: Request, @Param('chatId') chatId: string) {
    await this.aborts.abort(flowAccessOf(request).flow.id, chatId);
    return { status: 200, message: 'Chat message aborted' };
  }
}
