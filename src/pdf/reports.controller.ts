import { Controller, Get, HttpCode, Param, Post, Query, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { InvalidApiKey } from '../auth/guards/api-key.guard.js';
import { AdminGuard } from '../common/admin.guard.js';
import { AppConfig } from '../common/app-config.js';
import { publicOrigin } from '../common/public-origin.js';
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
    const admin = this.access.holdsAdminKey(request);
    if (!admin && !(session !== undefined && (await this.access.holdsKeyOf(request, session)))) {
      throw new InvalidApiKey(request);
    }
    const mayRead = (flowIds: readonly string[]) => this.access.mayRead(request, flowIds);
    return { data: await this.list.readable(session, publicOrigin(request, this.config), mayRead) };
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
    const open = signed && this.links.opens(id, { expires, signature });
    if (!open && !(await this.access.mayRead(request, report.flowIds)))
      throw signed ? expired() : new InvalidApiKey(request);
    await this.files.send(response, report, { inline: inline === 'true' });
  }

  /** Draws a settled claim again: the same bytes, which also mends a file that was lost. */
  @Post(':id/redraw')
  @HttpCode(200)
  @UseGuards(AdminGuard)
  async redraw(@Param('id') id: string, @Req() request: Request): Promise<Redrawn> {
    const report = await this.list.find(id);
    if (!report) throw new NotFound('The report');
    return this.redraws.redraw(report, publicOrigin(request, this.config));
  }
}

const expired = (): ServiceError =>
  new ServiceError(
    401,
    'invalid_api_key',
    "This address of the report has expired or was altered. Ask for a new one, or send the flow's API key.",
    { headers: { 'WWW-Authenticate': 'Bearer' } },
  );
