import { Controller, Get, Header, HttpCode, Param, Post, Query, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  detailsOfReport,
  pastReport,
  redrawnReport,
  type RedrawnReport,
  type ReportView,
} from '../../api/reports.js';
import { answered } from '../../api/route-note.js';
import { pageSchema } from '../../api/shapes.js';
import { InvalidApiKey } from '../../auth/guards/api-key.guard.js';
import { AppConfig } from '../../common/app-config.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { linkOrigin } from '../../common/http/own-origin.js';
import { Documented } from '../../common/http/route-table.js';
import { ReportAccess } from '../vault/report-access.js';
import { ReportFiles } from '../vault/report-files.js';
import { ReportVault } from '../vault/report-vault.js';
import { signedFile } from '../vault/signed-file-note.js';
import { type DetailsOfReport, PastReports } from './past-reports.js';

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

  @Documented({
    summary: 'List reports',
    access: 'admin-or-flow',
    query: {
      sessionId:
        "The reports of one session. Required with a flow's key; with the admin key it may be left out.",
    },
    answers: answered('The newest first.', pageSchema(pastReport)),
  })
  @Get()
  async list(
    @Query('sessionId') sessionId: unknown,
    @Req() request: Request,
  ): Promise<{ data: ReportView[] }> {
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

  @Documented({
    ...signedFile('application/pdf'),
    summary: 'Download a report',
    description:
      'The `url` of an answer holds `expires` and `signature`, so that it opens without a key for as long as `REPORT_LINK_HOURS` says. Without them the key of the flow or the admin key is needed.',
  })
  @Get(':id/file')
  async file(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const report = await this.vault.get(id);
    await this.files.sendLinked('report', report, request, response);
  }

  /** Open to callers who may read the file, since the file prints these details. */
  @Documented({
    summary: 'Read the details that a report prints',
    description:
      'Members of `meta` as they were printed: those of the request, filled from the details of the inspection, replaced by those of an edition. A member that printed nothing is left out; a comparison has none.',
    access: 'admin-or-flow',
    errors: ['not_found'],
    answers: answered('The details.', detailsOfReport),
  })
  @Get(':id/details')
  @Header('Cache-Control', 'no-store')
  async details(@Param('id') id: string, @Req() request: Request): Promise<DetailsOfReport> {
    const report = await this.vault.get(id);
    await this.access.requireToRead(request, report.flowIds);
    return this.reports.details(report);
  }

  @Documented({
    summary: 'Draw a report again',
    description:
      'The same bytes, which also restores a lost file or list of evidence. A signature after the seal is the stored one, not a new one.',
    errors: ['not_found'],
    answers: answered('The report.', redrawnReport),
  })
  @Post(':id/redraw')
  @HttpCode(200)
  @UseGuards(AdminGuard)
  async redraw(@Param('id') id: string, @Req() request: Request): Promise<RedrawnReport> {
    const report = await this.vault.get(id);
    return this.reports.redraw(report, linkOrigin(request, this.config));
  }
}
