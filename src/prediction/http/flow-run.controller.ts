import { Controller, Get, HttpCode, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { NotFound } from '../../common/service-error.js';
import { Recorded } from '../../executions/log/recorded-routes.js';
import { FlowStore } from '../../flows/store/flow-store.js';
import { StreamResume } from '../resume/stream-resume.js';
import { PredictionReader } from './prediction-reader.js';
import { PredictionResponder } from './prediction-responder.js';

/** Runs flows from the console (contract section 8): body and answer of a prediction, for the admin key alone. */
@Controller('api/v1/flows')
@UseGuards(AdminGuard)
export class FlowRunController {
  constructor(
    private readonly reader: PredictionReader,
    private readonly responder: PredictionResponder,
    private readonly flows: FlowStore,
    private readonly streams: StreamResume,
  ) {}

  /** Runs a flow without key, domain or rate limit; charged and recorded like any other run. */
  @Recorded({ kind: 'prediction' })
  @Post(':flowId/run')
  @HttpCode(200)
  async run(
    @Param('flowId') flowId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const flow = await this.flows.find(flowId);
    if (!flow) throw new NotFound('The flow');
    const read = () => this.reader.read(request, { flow, seesFailures: true });
    await this.responder.respond(request, response, read);
  }

  /** Resumes the stream of a run after `Last-Event-ID`, for any flow. */
  @Get(':flowId/run/stream')
  resume(@Param('flowId') flowId: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const lastEventId = request.headers['last-event-id'];
    return this.streams.resume({ flowId, lastEventId, seesFailures: true }, response);
  }
}
