import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { setTimeout as pause } from 'node:timers/promises';
import { AppConfig } from '../../common/app-config.js';
import { linkOrigin } from '../../common/http/own-origin.js';
import { EVENTS, eventFrame, StreamWriter } from '../../common/http/stream-writer.js';
import { ReportAccess } from '../vault/report-access.js';
import { RenderStatus } from './render-status.js';

const LOOK_MS = 200;
const ASK_MS = 1000;

/** `GET /api/v1/pdf/renders/:id`: the state of an asynchronous render, as JSON or, if the caller accepts it, as a stream. */
@Controller('api/v1/pdf/renders')
export class RendersController {
  constructor(
    private readonly renders: RenderStatus,
    private readonly access: ReportAccess,
    private readonly config: AppConfig,
  ) {}

  @Get(':id')
  async status(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const origin = linkOrigin(request, this.config);
    const refusal = await this.access.refusalOfPage(request, await this.renders.flowIds(id));
    if (refusal) throw refusal;
    const first = await this.renders.read(id, origin);
    response.setHeader('Cache-Control', 'no-cache');
    if (request.accepts(['application/json', 'text/event-stream']) !== 'text/event-stream') {
      response.json(first);
      return;
    }
    const events = StreamWriter.begin(response, EVENTS);
    if (events) await this.stream(id, origin, events);
  }

  /** Sends `progress` while it changes, then `result` or `error`, then `end`. A slow reader misses progress only. */
  private async stream(id: string, origin: string, events: StreamWriter): Promise<void> {
    let sent = '';
    while (!events.isOver) {
      const progress = this.renders.progress(id);
      const status = progress ? undefined : await this.renders.read(id, origin);
      if (status && status.status !== 'running') {
        if (status.status === 'succeeded') events.write(eventFrame('result', status.result));
        else events.write(eventFrame('error', status.error.message));
        events.write(eventFrame('end', '[DONE]'));
        return events.end();
      }
      const now = eventFrame('progress', progress ?? status?.progress);
      if (now !== sent && !events.isBehind) events.write((sent = now));
      await pause(progress ? LOOK_MS : ASK_MS);
    }
  }
}
