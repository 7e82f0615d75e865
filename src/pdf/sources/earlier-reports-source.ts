import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { InvalidRequest } from '../../common/service-error.js';
import { apiCallOf } from '../../executions/api-call.js';
import { FlowStore } from '../../flows/store/flow-store.js';
import { ClaimService } from '../../inspection/claims/claim.service.js';
import { detailsOf, earlierReports, storedDetails } from '../drawing/report-contents.js';
import { brandsOf } from '../logos/flow-brands.js';
import type { EarlierReport, EarlierReports, SourceDetails } from '../templates/template.js';
import { ReportAccess } from '../vault/report-access.js';
import { ReportVault, type StoredReport } from '../vault/report-vault.js';
import type { ReportSource, SourceAccess, SourceCaller, Taking } from './report-source.js';

/** Finished reports as a source, for callers who may read each of them. Nothing is claimed. */
@Injectable()
export class EarlierReportsSource {
  constructor(
    private readonly rights: ReportAccess,
    private readonly vault: ReportVault,
    private readonly claims: ClaimService,
    private readonly flows: FlowStore,
  ) {}

  sourceOf(from: EarlierReports, details: SourceDetails): ReportSource {
    return {
      access: (request) => this.access(request, from),
      taking: (caller) => this.taking(from, details, caller),
      printable: (claim) => Promise.resolve({ claim, warnings: [] }),
    };
  }

  /** Throws 404 for an unknown report, 401 or 403 unless the caller may read all, 400 for a report of another template. */
  private async access(request: Request, from: EarlierReports): Promise<SourceAccess> {
    const reports = await earlierReports(from, this.vault);
    const sessionId = sessionOf(reports);
    apiCallOf(request).chatId = sessionId;
    for (const { flowIds } of reports) await this.rights.requireToRead(request, flowIds);
    for (const [place, report] of reports.entries()) await this.requireTemplate(from.reports[place]!, report);
    return { scope: ` ${sessionId}`, ...(await this.rights.findFlows(request, flowIdsOf(reports))) };
  }

  private async taking(
    from: EarlierReports,
    details: SourceDetails,
    { executionId }: SourceCaller,
  ): Promise<Taking> {
    const source = storedDetails(details);
    const reports = await earlierReports(from, this.vault);
    const [sessionId, flowIds] = [sessionOf(reports), flowIdsOf(reports)];
    const { look } = (await brandsOf(flowIds, this.flows))(flowIds);
    return (tx) => this.claims.claimNothing(tx, { sessionId, flowIds, executionId, source, look });
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

const flowIdsOf = (reports: readonly StoredReport[]): string[] =>
  [...new Set(reports.flatMap((report) => report.flowIds))].sort();
