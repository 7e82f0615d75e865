import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Warning } from '../../common/warnings.js';
import { InvalidRequest, NotFound } from '../../common/service-error.js';
import { apiCallOf } from '../../executions/api-call.js';
import type { Claim } from '../../inspection/claim.js';
import { ClaimService } from '../../inspection/claim.service.js';
import type { ReportInput } from '../../inspection/report/report-input.js';
import { RenderAccess } from '../render-access.js';
import type { RenderCaller } from '../render-records.js';
import type { ComparisonOrder } from '../render-request.js';
import type { DocumentContents } from '../renderer/document-contents.js';
import { ReportVault, type StoredReport } from '../report-vault.js';
import type { ReportSource, SourceAccess, Taking } from './report-source.js';

/**
 * Two earlier reports side by side: claims nothing, for nothing is pending in them. For whoever may read both; kept
 * under the session of the later side.
 */
@Injectable()
export class ComparisonSource implements ReportSource<ComparisonOrder> {
  constructor(
    private readonly render: RenderAccess,
    private readonly vault: ReportVault,
    private readonly claims: ClaimService,
  ) {}

  /** Throws 404 for an unknown report, 401 or 403 unless the caller may read both, 400 for what is a comparison itself. */
  async access(request: Request, order: ComparisonOrder): Promise<SourceAccess> {
    const [before, after] = await this.both(order);
    apiCallOf(request).chatId = after.sessionId;
    for (const report of [before, after]) {
      const refusal = await this.render.refusalToRead(request, report.flowIds);
      if (refusal) throw refusal;
    }
    await this.requireInspection('source.before', before);
    await this.requireInspection('source.after', after);
    const access = await this.render.flowsOf(request, flowsOf(before, after));
    return { scope: ` ${after.sessionId}`, ...access };
  }

  async taking(source: ComparisonOrder, { executionId }: RenderCaller): Promise<Taking> {
    const [before, after] = await this.both(source);
    const { sessionId } = after;
    const flowIds = flowsOf(before, after);
    return (tx) => this.claims.claimNothing(tx, { sessionId, flowIds, executionId, source });
  }

  printable(claim: Claim): Promise<{ claim: Claim; warnings: Warning[] }> {
    return Promise.resolve({ claim, warnings: [] });
  }

  async contents({ source, createdAt }: Claim): Promise<DocumentContents> {
    if (source.type !== 'comparison') throw new Error('the claim is no comparison');
    const [before, after] = await this.both(source);
    const inputs = { before: await this.inputOf(before), after: await this.inputOf(after) };
    return { template: 'comparison', input: { now: createdAt, ...inputs } };
  }

  private async both({
    before,
    after,
  }: {
    before: string;
    after: string;
  }): Promise<[StoredReport, StoredReport]> {
    return [await this.report(before, 'before'), await this.report(after, 'after')];
  }

  private async report(id: string, side: string): Promise<StoredReport> {
    const report = await this.vault.find(id);
    if (!report) throw new NotFound(`The report in source.${side}`);
    return report;
  }

  private async requireInspection(path: string, { claimId }: StoredReport): Promise<void> {
    const claim = await this.claims.find(claimId);
    if (claim?.source.type === 'inspection') return;
    throw new InvalidRequest([
      { path, message: 'must be the id of an inspection report, not of a comparison' },
    ]);
  }

  private async inputOf({ claimId }: StoredReport): Promise<ReportInput> {
    const claim = await this.claims.find(claimId);
    if (!claim) throw new Error('the claim of a compared report is missing');
    return this.claims.reportInput(claim);
  }
}

const flowsOf = (...reports: readonly StoredReport[]): string[] =>
  [...new Set(reports.flatMap((report) => report.flowIds))].sort();
