import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { CaptureAnswer } from '../../api/inspections.js';
import { RequiresFlowAccess } from '../../auth/guards/flow-access.js';
import { CrossOrigin } from '../../common/http/cors.js';
import { Documented } from '../../common/http/route-table.js';
import { Recorded } from '../../executions/arrival/recorded-routes.js';
import { CaptureCalls } from './capture-calls.js';
import { captureNote } from './capture-note.js';

/** Recording an inspection as it happens (description section 4.2, contract section 5). */
@Controller('api/v1/inspection')
export class CaptureController {
  constructor(private readonly calls: CaptureCalls) {}

  /** Checks the caller before the body is read if `?flowId=` is given, else once the body has named the flow. */
  @Documented(captureNote)
  @Recorded({ kind: 'capture', flowIdIn: 'query' })
  @CrossOrigin()
  @Post('capture')
  @HttpCode(200)
  @RequiresFlowAccess({ flowIdIn: 'query' })
  async capture(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CaptureAnswer> {
    const { httpStatus, body, replayed } = await this.calls.answer(request);
    response.status(httpStatus);
    if (replayed) response.setHeader('Idempotent-Replay', 'true');
    return body;
  }
}
