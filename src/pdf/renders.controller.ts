import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { setTimeout as pause } from 'node:timers/promises';
import { AppConfig } from '../common/app-config.js';
import { beginEvents } from '../common/begin-events.js';
import { linkOrigin } from '../common/own-origin.js';
import { RenderAccess } from './render-access.js';
import { RenderStatus } from './render-status.js';

const LOOK_MS = 200;
const ASK_MS = 1000;
const HEARTBEAT_LOOKS = 75;

/** `GET /api/v1/pdf/renders/:id`: how an asynchronous render goes, as JSON or, when that is asked, as a stream. */
@Controller('api/v1/pdf/renders')
export class RendersController {
  constructor(
    private readonly renders: RenderStatus,
    private readonly access: RenderAccess,
    private readonly config: AppConfig,
  ) {}

  @Get(':id')
  async status(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const origin = linkOrigin(request, this.config);
    const refusal = await this.access.refusalOfPage(request, await this.renders.flowsOf(id));
    if (refusal) throw refusal;
    const first = await this.renders.of(id, origin);
    response.setHeader('Cache-Control', 'no-cache');
    if (request.accepts(['application/json', 'text/event-stream']) !== 'text/event-stream') {
      response.json(first);
      return;
    }
    if (!beginEvents(response, { 'Content-Type': 'text/event-stream' })) return;
    await this.stream(id, origin, response);
    response.end();
  }

  /** `progress` while it changes, then `result` or `error`, then `end`. A reader who does not read misses progress only. */
  private async stream(id: string, origin: string, response: Response): Promise<void> {
    let told = '';
    for (let looks = 1; !response.destroyed; looks++) {
      const progress = this.renders.progress(id);
      const status = progress ? undefined : await this.renders.of(id, origin);
      if (status && status.status !== 'running') {
        if (status.status === 'succeeded') tell(response, 'result', status.result);
        else tell(response, 'error', status.error.message);
        tell(response, 'end', '[DONE]');
        return;
      }
      const now = JSON.stringify(progress ?? status?.progress);
      if (now !== told && !response.writableNeedDrain) tell(response, 'progress', JSON.parse((told = now)));
      if (looks % HEARTBEAT_LOOKS === 0 && !response.writableNeedDrain) response.write(':heartbeat\n\n');
      await pause(progress ? LOOK_MS : ASK_MS);
    }
  }
}

const tell = (response: Response, event: string, data: unknown): boolean =>
  response.write(`data: ${JSON.stringify({ event, data })}\n\n`);
