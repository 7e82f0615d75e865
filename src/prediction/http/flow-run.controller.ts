import { Controller, Get, HttpCode, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { predictionAnswer, predictionEvent } from '../../api/predictions.js';
import { eventsOf, idempotency, json, resumedStream, runErrors } from '../../api/route-note.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { Documented } from '../../common/http/route-table.js';
import { NotFound } from '../../common/service-error.js';
import { Recorded } from '../../executions/arrival/recorded-routes.js';
import { FlowStore } from '../../flows/store/flow-store.js';
import { StreamResume } from '../resume/stream-resume.js';
import { ConsoleRuns, consoleRunSchema } from './console-runs.js';
import { PredictionResponder } from './prediction-responder.js';

/** Runs flows from the console (contract section 8): body and answer of a prediction, for the admin key alone. */
@Controller('api/v1/flows')
@UseGuards(AdminGuard)
export class FlowRunController {
  constructor(
    private readonly runs: ConsoleRuns,
    private readonly responder: PredictionResponder,
    private readonly flows: FlowStore,
    private readonly streams: StreamResume,
  ) {}

  @Documented({
    summary: 'Run a flow from the console',
    description:
      'Body and answer of a prediction, without key, domain or rate limit; charged and recorded like any other run. `version` runs the draft or an earlier version, `executionId` repeats the input of an execution in a new chat.',
    headers: idempotency.headers,
    errors: [...runErrors, 'not_found', 'invalid_flow'],
    body: { json: consoleRunSchema, examples: { message: { question: 'Hello', chatId: 'console' } } },
    answers: {
      200: {
        description: 'The answer.',
        content: { ...json(predictionAnswer), ...eventsOf(predictionEvent) },
      },
    },
  })
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
    await this.responder.respond(request, response, () => this.runs.read(request, flow));
  }

  @Documented({
    ...resumedStream,
    summary: 'Resume the stream of a run from the console',
    description:
      'As `GET /api/v1/prediction/{flowId}/stream`, for the admin key: also where the flow wants a key of its own.',
  })
  @Get(':flowId/run/stream')
  resume(@Param('flowId') flowId: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const lastEventId = request.headers['last-event-id'];
    return this.streams.resume({ flowId, lastEventId, seesFailures: true }, response);
  }
}
