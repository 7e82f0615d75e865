import { Controller, Get, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AddressBlockGuard } from '../auth/guards/address-block.guard.js';
import { RenderRateGuard } from '../auth/guards/render-rate.guard.js';
import { AdminGuard } from '../common/admin.guard.js';
import { NotFound } from '../common/service-error.js';
import { ReportDelivery } from './delivery/report-delivery.js';
import { RenderCalls, type RenderReply } from './render-calls.js';
import { ReportFile } from './report-file.js';
import { ReportVault } from './report-vault.js';

/** `POST /api/v1/pdf/render` (description section 4.3): the answer as JSON, or the PDF itself when that is accepted. */
@Controller('api/v1/pdf')
export class PdfController {
  constructor(
    private readonly calls: RenderCalls,
    private readonly vault: ReportVault,
    private readonly files: ReportFile,
    private readonly delivery: ReportDelivery,
  ) {}

  /** What can be done with a report besides fetching it. */
  @Get('delivery')
  @UseGuards(AdminGuard)
  ways(): { email: boolean } {
    return { email: this.delivery.sendsMail };
  }

  @Post('render')
  @UseGuards(AddressBlockGuard, RenderRateGuard)
  async render(@Req() request: Request, @Res() response: Response): Promise<void> {
    const reply = await this.calls.answer(request);
    if (reply.replayed) response.setHeader('Idempotent-Replay', 'true');
    if ('status' in reply.body) {
      response.setHeader('Location', `/api/v1/pdf/renders/${reply.body.id}`);
      response.setHeader('Preference-Applied', 'respond-async');
    } else if (request.accepts(['application/json', 'application/pdf']) === 'application/pdf') {
      await this.sendFile(response, reply.body);
      return;
    }
    response.status(reply.httpStatus).json(reply.body);
  }

  private async sendFile(
    response: Response,
    body: Exclude<RenderReply['body'], { status: string }>,
  ): Promise<void> {
    if (body.file === null) {
      response.status(204).end();
      return;
    }
    const report = await this.vault.find(body.file.id);
    if (!report) throw new NotFound('The report');
    await this.files.send(response, report);
  }
}
