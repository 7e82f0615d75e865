import { Controller, Get, HttpCode, Param, Post, Put, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { flowAccessOf } from '../../auth/flow-call.js';
import { RequiresFlowAccess } from '../../auth/guards/requires-flow-access.decorator.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { CrossOrigin } from '../../common/http/cors.js';
import { Cancellation } from '../../executions/calls/cancellation.js';
import { Recorded } from '../../executions/log/recorded-routes.js';
import { StreamResume } from '../resume/stream-resume.js';
import { PredictionReader } from './prediction-reader.js';
import { PredictionResponder } from './prediction-responder.js';

/** Runs flows over HTTP (description section 4.1, contract section 3). */
@CrossOrigin()
@Controller('api/v1')
export class PredictionController {
  constructor(
    private readonly reader: PredictionReader,
    private readonly responder: PredictionResponder,
    private readonly streams: StreamResume,
    private readonly cancellation: Cancellation,
    private readonly admins: AdminGuard,
  ) {}

  /** Runs a flow. Streams the answer on request, if the flow ends in a streamable node. */
  @Recorded({ kind: 'prediction' })
  @Post('prediction/:flowId')
  @HttpCode(200)
  @RequiresFlowAccess()
  predict(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { flow, apiKeyId } = flowAccessOf(request);
    const key = apiKeyId === undefined ? {} : { apiKeyId };
    const granted = { flow, ...key, seesFailures: this.seesFailures(request) };
    return this.responder.respond(request, response, () => this.reader.read(request, granted));
  }

  /** Resumes a stream after `Last-Event-ID`. */
  @Get('prediction/:flowId/stream')
  @RequiresFlowAccess({ rateLimit: false })
  resume(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { flow } = flowAccessOf(request);
    const lastEventId = request.headers['last-event-id'];
    const seesFailures = this.seesFailures(request);
    return this.streams.resume({ flowId: flow.id, lastEventId, seesFailures }, response);
  }

  /** Cancels the runs of a chat. */
  @Put('chatmessage/abort/:flowId/:chatId')
  @RequiresFlowAccess({ rateLimit: false, missCountsOnce: true })
  async abort(@Req() request: Request, @Param('chatId') chatId: string) {
    await this.cancellation.cancelChat(flowAccessOf(request).flow.id, chatId);
    return { status: 200, message: 'Chat message aborted' };
  }

  /** Returns true if the caller holds the flow's key or the admin key, and may read a node's own message. */
  private seesFailures(request: Request): boolean {
    return flowAccessOf(request).apiKeyId !== undefined || this.admins.holdsAdminKey(request);
  }
}
