import { Controller, Get, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { deliveryWays, type DeliveryWays } from '../../api/reports.js';
import { answered } from '../../api/route-note.js';
import { AddressBlockGuard } from '../../auth/guards/address-block.guard.js';
import { RenderRateGuard } from '../../auth/guards/render-rate.guard.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { CrossOrigin } from '../../common/http/cors.js';
import { Documented } from '../../common/http/route-table.js';
import { NotFound } from '../../common/service-error.js';
import { Recorded } from '../../executions/arrival/recorded-routes.js';
import { ReportDelivery } from '../delivery/report-delivery.js';
import { ReportFiles } from '../vault/report-files.js';
import { ReportVault } from '../vault/report-vault.js';
import { signedFile } from '../vault/signed-file-note.js';
import { Previews } from './previews.js';
import { RenderCalls, type RenderReply } from './render-calls.js';
import { editionNote, renderNote } from './render-notes.js';

/**
 * `POST /api/v1/pdf/render` (description section 4.3), further editions and files of previews (contract section 6). A render
 * is answered as JSON, or with the PDF itself if the caller accepts that.
 */
@Controller('api/v1/pdf')
export class PdfController {
  constructor(
    private readonly calls: RenderCalls,
    private readonly vault: ReportVault,
    private readonly previews: Previews,
    private readonly files: ReportFiles,
    private readonly delivery: ReportDelivery,
  ) {}

  @Documented({
    summary: 'Check whether reports can be mailed',
    answers: answered('The ways to deliver a report besides its address.', deliveryWays),
  })
  @Get('delivery')
  @UseGuards(AdminGuard)
  ways(): DeliveryWays {
    return { email: this.delivery.sendsMail };
  }

  @Documented(renderNote)
  @Recorded({ kind: 'render' })
  @CrossOrigin()
  @Post('render')
  @UseGuards(AddressBlockGuard, RenderRateGuard)
  async render(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.send(request, response, await this.calls.answer(request));
  }

  /** Draws the claim of a report again, with corrections. */
  @Documented(editionNote)
  @Recorded({ kind: 'render' })
  @Post('reports/:id/editions')
  @UseGuards(AddressBlockGuard, RenderRateGuard)
  async edition(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.send(request, response, await this.calls.answerEdition(request, id));
  }

  /** Sends the file of a preview. Needs its signed address, the flow's key or the admin key, and works for an hour. */
  @Documented({
    ...signedFile('application/pdf'),
    summary: 'Download a preview',
    description:
      'The `url` of a preview holds `expires` and `signature`, so that it opens without a key. A preview is deleted after an hour.',
  })
  @Get('previews/:id/file')
  async preview(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const preview = await this.previews.find(id);
    if (!preview) throw new NotFound('The preview, which lives for an hour,');
    await this.files.sendLinked('preview', preview, request, response);
  }

  private async send(request: Request, response: Response, reply: RenderReply): Promise<void> {
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
    const { id } = body.file;
    const report = body.preview ? await this.previews.find(id) : await this.vault.get(id);
    if (!report) throw new NotFound('The preview');
    await this.files.send(response, body.preview ? 'preview' : 'report', report);
  }
}
