import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { InvalidRequest, NotFound } from '../../common/service-error.js';
import type { Warning } from '../../common/warnings.js';
import { apiCallOf } from '../../executions/api-call.js';
import type { Claim } from '../../inspection/claims/claim.js';
import { ClaimService } from '../../inspection/claims/claim.service.js';
import type { ReportInput } from '../../inspection/report/report-input.js';
import { FlowBrands } from '../logos/flow-brands.js';
import { RenderAccess } from '../render/render-access.js';
import type { RenderCaller } from '../render/render-records.js';
import type { EarlierReport, EarlierReports } from '../templates/source.js';
import type { SourceDetails } from '../templates/template.js';
import { ReportVault, type StoredReport } from '../vault/report-vault.js';
import { detailsOf, keptDetails } from './claimed-details.js';
import type { ReportSource, SourceAccess, Taking } from './report-source.js';

/** Finished reports, for whoever may read each of them: claims nothing, for nothing is pending in them. */
@Injectable()
export class ReportsSource implements ReportSource<EarlierReports> {
  constructor(
    private readonly render: RenderAccess,
    private readonly vault: ReportVault,
    private readonly claims: ClaimService,
    private readonly brands: FlowBrands,
  ) {}

  /** Throws 404 for an unknown report, 401 or 403 unless the caller may read all, 400 for one of another template. */
  async access(request: Request, from: EarlierReports): Promise<SourceAccess> {
    const reports = await this.found(from);
    const sessionId = sessionOf(reports);
    apiCallOf(request).chatId = sessionId;
    for (const report of reports) {
      const refusal = await this.render.refusalToRead(request, report.flowIds);
      if (refusal) throw refusal;
    }
    for (const [place, report] of reports.entries()) await this.requireTemplate(from.reports[place]!, report);
    return { scope: ` ${sessionId}`, ...(await this.render.flowsOf(request, flowsOf(reports))) };
  }

  async taking(from: EarlierReports, details: SourceDetails, { executionId }: RenderCaller): Promise<Taking> {
    const source = keptDetails(details);
    const reports = await this.found(from);
    const [sessionId, flowIds] = [sessionOf(reports), flowsOf(reports)];
    const { look } = (await this.brands.of(flowIds))(flowIds);
    return (tx) => this.claims.claimNothing(tx, { sessionId, flowIds, executionId, source, look });
  }

  printable(claim: Claim): Promise<{ claim: Claim; warnings: Warning[] }> {
    return Promise.resolve({ claim, warnings: [] });
  }

  async inputs(_: Claim, from: EarlierReports): Promise<ReportInput[]> {
    const inputs: ReportInput[] = [];
    for (const { claimId } of await this.found(from)) {
      const claim = await this.claims.find(claimId);
      if (!claim) throw new Error('the claim of an earlier report is missing');
      inputs.push(await this.claims.reportInput(claim));
    }
    return inputs;
  }

  private async found({ reports }: EarlierReports): Promise<StoredReport[]> {
    const found: StoredReport[] = [];
    for (const { id, path } of reports) {
      const report = await this.vault.find(id);
      if (!report) throw new NotFound(`The report in ${path}`);
      found.push(report);
    }
    return found;
  }

  private async requireTemplate({ path, template }: EarlierReport, { claimId }: StoredReport): Promise<void> {
    const claim = await this.claims.find(claimId);
    if (claim && detailsOf(claim).type === template) return;
    throw new InvalidRequest([{ path, message: `must be the id of a report of the template "${template}"` }]);
  }
}

function sessionOf(reports: readonly StoredReport[]): string {
  const last = reports.at(-1);
  if (!last) throw new Error('the source of the report names no report');
  return last.sessionId;
}

const flowsOf = (reports: readonly StoredReport[]): string[] =>
  [...new Set(reports.flatMap((report) => report.flowIds))].sort();
