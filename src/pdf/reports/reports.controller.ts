import { Controller, Get, Header, HttpCode, Param, Post, Query, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { InvalidApiKey } from '../../auth/guards/api-key.guard.js';
import { AppConfig } from '../../common/app-config.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { linkOrigin } from '../../common/http/own-origin.js';
import { ReportAccess } from '../vault/report-access.js';
import { ReportFiles } from '../vault/report-files.js';
import { ReportVault } from '../vault/report-vault.js';
import { type DetailsOfReport, type ListedReport, PastReports, type Redrawn } from './past-reports.js';

/** Past reports (contract section 6), for the flow's key, the admin key or the holder of an address that has not expired. */
@Controller('api/v1/pdf/reports')
export class ReportsController {
  constructor(
    private readonly reports: PastReports,
    private readonly vault: ReportVault,
    private readonly access: ReportAccess,
    private readonly files: ReportFiles,
    private readonly config: AppConfig,
  ) {}

  @Get()
  async list(
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
    return { data: await this.reports.list(session, linkOrigin(request, this.config), mayRead) };
  }

  @Get(':id/file')
  async file(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const report = await this.vault.get(id);
    await this.files.sendLinked('report', report, request, response);
  }

  /** Returns the printed details, for callers who may read the file. */
  @Get(':id/details')
  @Header('Cache-Control', 'no-store')
  async details(@Param('id') id: string, @Req() request: Request): Promise<DetailsOfReport> {
    const report = await this.vault.get(id);
    await this.access.requireToRead(request, report.flowIds);
    return this.reports.details(report);
  }

  /** Draws a settled claim again, which gives the same bytes and restores a lost file. */
  @Post(':id/redraw')
  @HttpCode(200)
  @UseGuards(AdminGuard)
  async redraw(@Param('id') id: string, @Req() request: Request): Promise<Redrawn> {
    const report = await this.vault.get(id);
    return this.reports.redraw(report, linkOrigin(request, this.config));
  }
}
