import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { setTimeout as pause } from 'node:timers/promises';
import { renderEvent } from '../../api/predictions.js';
import { renderStatus } from '../../api/reports.js';
import { eventsOf, json } from '../../api/route-note.js';
import { AppConfig } from '../../common/app-config.js';
import { linkOrigin } from '../../common/http/own-origin.js';
import { Documented } from '../../common/http/route-table.js';
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

  @Documented({
    summary: 'Read the progress of an asynchronous render',
    description:
      'Ask about once a second until `status` is no longer `running`: then `result` is what the render would have answered, or `error` says why there is none; photographs of a render that failed are pending again. The address is as unguessable as the id and needs no key; pages that the list of a flow refuses do not get it. With `Accept: text/event-stream` nothing needs to be asked again: `progress` whenever it changes, then `result` or `error` (a sentence), then `end`.',
    errors: ['not_found', 'domain_not_allowed'],
    answers: {
      200: {
        description: 'Status with progress; as a stream when asked.',
        content: { ...json(renderStatus), ...eventsOf(renderEvent) },
      },
    },
  })
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
