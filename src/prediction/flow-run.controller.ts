import { Controller, Get, HttpCode, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AdminGuard } from '../common/admin.guard.js';
import { NotFound } from '../common/service-error.js';
import { FlowStore } from '../flows/definition/flow-store.js';
import { PredictionResponder } from './prediction-responder.js';
import { StreamResume } from './stream-resume.js';

/** Runs from the console (contract section 8): body and answer of a prediction, for the admin key alone. */
@Controller('api/v1/flows')
@UseGuards(AdminGuard)
export class FlowRunController {
  constructor(
    private readonly responder: PredictionResponder,
    private readonly flows: FlowStore,
    private readonly streams: StreamResume,
  ) {}

  /** No key, domain or rate limit; charged and recorded like any other run. */
  @Post(':flowId/run')
  @HttpCode(200)
  async run(
    @Param('flowId') flowId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const flow = await this.flows.find(flowId);
    if (!flow) throw new NotFound('The flow');
    await this.responder.respond(request, response, { flow, seesFailures: true });
  }

  /** Goes on with the stream of a run where `Last-Event-ID` says that it broke off, whatever key its flow wants. */
  @Get(':flowId/run/stream')
  resume(@Param('flowId') flowId: string, @Req() request: Request, @Res() response: Response): void {
    this.streams.resume(flowId, request.headers['last-event-id'], response);
  }
}
