import { Controller, Get, HttpCode, Param, Post, Query, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { InvalidApiKey } from '../auth/guards/api-key.guard.js';
import { AdminGuard } from '../common/admin.guard.js';
import { AppConfig } from '../common/app-config.js';
import { linkOrigin } from '../common/own-origin.js';
import { NotFound, ServiceError } from '../common/service-error.js';
import { RenderAccess } from './render-access.js';
import { ReportFile } from './report-file.js';
import { type ListedReport, ReportList } from './report-list.js';
import { ReportLinks } from './report-links.js';
import { type Redrawn, ReportRedraw } from './report-redraw.js';

/** Past reports (contract section 6): for the flow's key, the admin key, or whoever holds an address that has not expired. */
@Controller('api/v1/pdf/reports')
export class ReportsController {
  constructor(
    private readonly list: ReportList,
    private readonly access: RenderAccess,
    private readonly links: ReportLinks,
    private readonly files: ReportFile,
    private readonly redraws: ReportRedraw,
    private readonly config: AppConfig,
  ) {}

  @Get()
  async ofSession(
    @Query('sessionId') sessionId: unknown,
    @Req() request: Request,
  ): Promise<{ data: ListedReport[] }> {
    const session = typeof sessionId === 'string' && sessionId !== '' ? sessionId : undefined;
    if (!this.access.holdsAdminKey(request)) {
      const refusal =
        session === undefined
          ? new InvalidApiKey(request)
          : await this.access.refusalToList(request, session);
      if (refusal) throw refusal;
    }
    const mayRead = async (flowIds: readonly string[]) =>
      (await this.access.refusalToRead(request, flowIds)) === undefined;
    return { data: await this.list.readable(session, linkOrigin(request, this.config), mayRead) };
  }

  /** To be saved; with `?inline=true` to be shown. */
  @Get(':id/file')
  async file(
    @Param('id') id: string,
    @Query('expires') expires: unknown,
    @Query('signature') signature: unknown,
    @Query('inline') inline: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const report = await this.list.find(id);
    if (!report) throw new NotFound('The report');
    const signed = typeof expires === 'string' && typeof signature === 'string';
    if (!(signed && this.links.opens(id, { expires, signature }))) {
      const refusal = await this.access.refusalToRead(request, report.flowIds);
      if (refusal) throw signed && refusal.status === 401 ? expired() : refusal;
    }
    await this.files.send(response, report, { inline: inline === 'true' });
  }

  /** Draws a settled claim again: the same bytes, which also mends a file that was lost. */
  @Post(':id/redraw')
  @HttpCode(200)
  @UseGuards(AdminGuard)
  async redraw(@Param('id') id: string, @Req() request: Request): Promise<Redrawn> {
    const report = await this.list.find(id);
    if (!report) throw new NotFound('The report');
    return this.redraws.redraw(report, linkOrigin(request, this.config));
  }
}

const expired = (): ServiceError =>
  new ServiceError(
    401,
    'invalid_api_key',
    "This address of the report has expired or was altered. Ask for a new one, or send the flow's API key.",
    { headers: { 'WWW-Authenticate': 'Bearer' } },
  );
