import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { ReportLayout } from '../../api/report-terms.js';
import { InvalidRequest } from '../../common/service-error.js';
import { apiCallOf } from '../../executions/api-call.js';
import { FlowStore } from '../../flows/store/flow-store.js';
import { ClaimService } from '../../inspection/claims/claim.service.js';
import { detailsOf, earlierReports, storedDetails } from '../drawing/report-contents.js';
import { brandsOf } from '../logos/flow-brands.js';
import { templateNamed } from '../templates.js';
import type { EarlierReport, EarlierReports, SourceDetails } from '../templates/template.js';
import { ReportAccess } from '../vault/report-access.js';
import { ReportVault, type StoredReport } from '../vault/report-vault.js';
import { type EditionRequest, EditionSource } from './edition-source.js';
import type { ReportSource, SourceAccess, SourceCaller, Taking } from './report-source.js';
import { SessionSource } from './session-source.js';

/** The source of a report in a request. */
export interface SourceOrder {
  /** The details, read by the schema of the template. */
  source: SourceDetails;
  /** Set to draw the claim of an earlier report again, with corrections. */
  edition?: EditionRequest;
  /** Absent: that of the flow. */
  layout?: ReportLayout;
}

/**
 * Finds the source that a report's template names: a session, the claim of an earlier edition, or finished reports, which
 * claim nothing and need a caller who may read each of them.
 */
@Injectable()
export class SourceFinder {
  constructor(
    private readonly session: SessionSource,
    private readonly editions: EditionSource,
    private readonly rights: ReportAccess,
    private readonly vault: ReportVault,
    private readonly claims: ClaimService,
    private readonly flows: FlowStore,
  ) {}

  find({ source: details, edition, layout }: SourceOrder): ReportSource {
    if (edition) return this.editions.sourceOf(edition);
    const from = templateNamed(details.type).source(details);
    if (from.of === 'session') return this.session.sourceOf(from, details, layout);
    return {
      access: (request) => this.accessToReports(request, from),
      taking: (caller) => this.takingReports(from, { details, layout }, caller),
      printable: (claim) => Promise.resolve({ claim, warnings: [] }),
    };
  }

  /** Throws 404 for an unknown report, 401 or 403 unless the caller may read all, 400 for a report of another template. */
  private async accessToReports(request: Request, from: EarlierReports): Promise<SourceAccess> {
    const reports = await this.reportsIn(from);
    const sessionId = sessionOf(reports);
    apiCallOf(request).chatId = sessionId;
    for (const { flowIds } of reports) await this.rights.requireToRead(request, flowIds);
    for (const [place, report] of reports.entries()) await this.requireTemplate(from.reports[place]!, report);
    return { scope: ` ${sessionId}`, ...(await this.rights.findFlows(request, flowIdsOf(reports))) };
  }

  private async takingReports(
    from: EarlierReports,
    { details, layout }: { details: SourceDetails; layout: ReportLayout | undefined },
    { executionId }: SourceCaller,
  ): Promise<Taking> {
    const source = storedDetails(details);
    const reports = await this.reportsIn(from);
    const [sessionId, flowIds] = [sessionOf(reports), flowIdsOf(reports)];
    const { look } = (await brandsOf(flowIds, this.flows, layout))(flowIds);
    return (tx) => this.claims.claimNothing(tx, { sessionId, flowIds, executionId, source, look });
  }

  private reportsIn(from: EarlierReports): Promise<StoredReport[]> {
    return earlierReports(from, this.vault, this.claims);
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
