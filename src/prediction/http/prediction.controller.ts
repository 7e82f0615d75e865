import { Controller, Get, HttpCode, Param, Post, Put, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { cancelledRuns, type CancelledRuns } from '../../api/predictions.js';
import { answered, resumedStream } from '../../api/route-note.js';
import { flowAccessOf } from '../../auth/flow-call.js';
import { FlowAccess, RequiresFlowAccess } from '../../auth/guards/flow-access.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { CrossOrigin } from '../../common/http/cors.js';
import { Documented } from '../../common/http/route-table.js';
import { Recorded } from '../../executions/arrival/recorded-routes.js';
import { Cancellation } from '../../executions/calls/cancellation.js';
import { StreamResume } from '../resume/stream-resume.js';
import { predictionNote } from './prediction-note.js';
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
    private readonly access: FlowAccess,
  ) {}

  @Documented(predictionNote)
  @Recorded({ kind: 'prediction' })
  @Post('prediction/:flowId')
  @HttpCode(200)
  @RequiresFlowAccess({ disabledToo: 'answers' })
  predict(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { flow, apiKeyId } = flowAccessOf(request);
    const key = apiKeyId === undefined ? {} : { apiKeyId };
    const granted = { flow, ...key, seesFailures: this.seesFailures(request) };
    const read = () => this.reader.read(request, granted);
    return this.responder.respond(request, response, () =>
      this.access.admitAnswer(request, read, ({ body }) => body.humanInput !== undefined),
    );
  }

  @Documented({
    ...resumedStream,
    summary: 'Resume a stream',
    description:
      'Sends the events that were missed and then the rest. If its client disconnects, a run continues for `STREAM_GRACE_SECONDS` (15), and its events are stored for as long after its end; of a long answer the last 1 MiB. Where the missed events are gone, the end is reported for 24 h: `metadata` with the whole `text` in the place of tokens, or `error`. 410 `stream_expired` for a run that has not ended, and after that day.',
  })
  @Get('prediction/:flowId/stream')
  @RequiresFlowAccess({ rateLimit: false, disabledToo: true })
  resume(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { flow } = flowAccessOf(request);
    const lastEventId = request.headers['last-event-id'];
    const seesFailures = this.seesFailures(request);
    return this.streams.resume({ flowId: flow.id, lastEventId, seesFailures }, response);
  }

  @Documented({
    summary: 'Cancel the runs of a chat',
    answers: answered('They are cancelled.', cancelledRuns),
  })
  @Put('chatmessage/abort/:flowId/:chatId')
  @RequiresFlowAccess({ rateLimit: false, missCountsOnce: true })
  async abort(@Req() request: Request, @Param('chatId') chatId: string): Promise<CancelledRuns> {
    await this.cancellation.cancelChat(flowAccessOf(request).flow.id, chatId);
    return { status: 200, message: 'Chat message aborted' };
  }

  /** Returns true if the caller holds the flow's key or the admin key, and may read a node's own message. */
  private seesFailures(request: Request): boolean {
    return flowAccessOf(request).apiKeyId !== undefined || this.admins.holdsAdminKey(request);
  }
}
