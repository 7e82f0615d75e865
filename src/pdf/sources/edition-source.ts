import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { InvalidRequest } from '../../common/service-error.js';
import type { Warning } from '../../common/warnings.js';
import { apiCallOf } from '../../executions/api-call.js';
import type { Claim } from '../../inspection/claims/claim.js';
import { ClaimService } from '../../inspection/claims/claim.service.js';
import { type AddedPhotographs, EditionClaims } from '../../inspection/claims/edition-claims.js';
import type { EditionCorrection } from '../../inspection/claims/edition-corrections.js';
import { sessionRows } from '../../inspection/claims/take-records.js';
import { changedSinceReport, takeChanges } from '../../inspection/details/detail-changes.js';
import { lockLatest, spendComments } from '../../inspection/details/details-rows.js';
import { buildReport } from '../../inspection/report/build-report.js';
import { previousReportIn } from '../../inspection/report/front-matter.js';
import { splitLogo } from '../logos/logos.js';
import { ReportAccess } from '../vault/report-access.js';
import { ReportVault, type StoredReport } from '../vault/report-vault.js';
import type { ReportSource, SourceAccess, SourceCaller, Taking } from './report-source.js';
import { SessionSource, withoutPrevious } from './session-source.js';

/** The request for a further edition of a report. */
export interface EditionRequest {
  readonly reportId: string;
  /** Members that replace those of the earlier edition. */
  readonly meta: object;
  readonly corrections: readonly EditionCorrection[];
  /** Pending photographs that it adds. */
  readonly addPhotographs?: AddedPhotographs;
  /** Set to make no edition if no photograph is pending, and to print the details that changed since the report. */
  readonly onlyToAdd?: true;
  readonly reason: string;
  /** The author: a key's name, or `admin`. */
  readonly by: string;
  /** The caller in the queue of the picture workers. */
  readonly who: string;
}

/**
 * The claim of an earlier report as the source of its next edition (contract section 6). It claims pending photographs of the
 * session only if the edition adds some.
 */
@Injectable()
export class EditionSource {
  constructor(
    private readonly vault: ReportVault,
    private readonly claims: ClaimService,
    private readonly editions: EditionClaims,
    private readonly rights: ReportAccess,
    private readonly session: SessionSource,
  ) {}

  sourceOf(edition: EditionRequest): ReportSource {
    return {
      access: (request) => this.access(request, edition.reportId),
      taking: (caller) => this.taking(edition, caller),
      printable: (claim, caller) => this.printable(edition, claim, caller),
    };
  }

  /** Drops the report of a check-in that the caller may not read, or that is an edition of this report. */
  private async printable(
    { reportId, meta }: EditionRequest,
    claim: Claim,
    caller: SourceCaller,
  ): Promise<{ claim: Claim; warnings: Warning[] }> {
    const named = previousReportIn(claim.meta);
    if (named !== undefined && (await this.isEditionOf(named, reportId))) {
      const found = await this.session.withLogo(withoutPrevious(claim));
      return { ...found, warnings: [...found.warnings, OWN_REPORT] };
    }
    // The earlier edition names a report that its caller could read.
    return previousReportIn(meta) === undefined
      ? this.session.withLogo(claim)
      : this.session.printable(claim, caller);
  }

  /** Returns true if a report is the newest edition or one of those that it replaced. */
  private async isEditionOf(id: string, newest: string): Promise<boolean> {
    for (let each: string | null = newest; each !== null; each = (await this.vault.get(each)).replaces)
      if (each === id) return true;
    return false;
  }

  /**
   * Finds the flows whose photographs may be added: those of the report, and others as in a render. Throws 404, and 401 or
   * 403 without the keys of the report's flows or the admin key.
   */
  async access(request: Request, reportId: string): Promise<SourceAccess> {
    const report = await this.vault.get(reportId);
    apiCallOf(request).chatId = report.sessionId;
    await this.rights.requireToRead(request, report.flowIds);
    const own = await this.rights.findFlows(request, report.flowIds);
    const { flows: usable } = await this.rights.admitToSession(request, report.sessionId);
    const others = usable.filter(({ id }) => !report.flowIds.includes(id));
    return { scope: `edition ${reportId}`, ...own, flows: [...own.flows, ...others] };
  }

  /** Returns the newest inspection report of a session that has photographs of this flow alone. */
  async newestOf(sessionId: string, flowId: string): Promise<StoredReport | undefined> {
    for (const report of await this.vault.latest(sessionId)) {
      if (!report.flowIds.every((id) => id === flowId)) continue;
      if ((await this.claims.find(report.claimId))?.source === null) return report;
    }
    return undefined;
  }

  /** Returns the size limit of the earlier edition, which applies to the next one too. Throws 404. */
  async maxBytesOf(reportId: string): Promise<number | null> {
    return (await this.vault.get(reportId)).maxBytes;
  }

  private async taking(
    edition: EditionRequest,
    { executionId, flowIds, detailsOf = [] }: SourceCaller,
  ): Promise<Taking> {
    const { reportId, corrections, by, reason, who, addPhotographs: photographs, onlyToAdd } = edition;
    const replaced = await this.claimOf(await this.vault.get(reportId));
    await this.editions.makePrints(replaced, corrections, who);
    const { photographIds: numbered } = buildReport(await this.claims.reportInput(replaced));
    const add = photographs === undefined ? {} : { add: { flowIds, photographs } };
    const order = { replaced, corrections, ...add, numbered, by, reason, executionId };
    const { sessionId } = replaced;
    return async (tx) => {
      if (onlyToAdd && !(await this.claims.hasPending(tx, sessionId, flowIds)))
        return { nothing: 'nothing_pending', sessionId };
      const record = onlyToAdd ? await lockLatest(tx, sessionId, detailsOf) : undefined;
      const changed = record ? await changedSinceReport(tx, { ...record, sessionId }, record.details) : {};
      const { meta, logo } = mergedMeta(replaced.meta, changed, edition.meta);
      const claim = await this.editions.claim(tx, { ...order, meta });
      if (record) {
        await takeChanges(tx, claim.id, sessionRows({ sessionId, flowIds: [record.flowId] }));
        if (changed['areaComments'] && !('areaComments' in withoutUndefined(edition.meta)))
          await spendComments(tx, { flowId: record.flowId, sessionId }, claim.id);
      }
      const warnings = photographs !== undefined && claim.photographs === 0 ? [NOTHING_PENDING] : [];
      return { ...claim, request: { logo, warnings } };
    };
  }

  private async claimOf({ claimId }: StoredReport): Promise<Claim> {
    const claim = await this.claims.find(claimId);
    if (claim?.source === null) return claim;
    throw new InvalidRequest(
      [{ path: 'id', message: 'must be the id of the report of an inspection' }],
      'Only the report of an inspection has further editions. Render a new comparison of the newest editions.',
    );
  }
}

const OWN_REPORT: Warning = {
  code: 'previous_report_dropped',
  message:
    'previousReport names this report itself or an earlier edition of it; it was dropped. Name the report of the check-in.',
  path: 'meta.previousReport',
};

const NOTHING_PENDING: Warning = {
  code: 'nothing_pending',
  message: 'No photograph of this inspection is pending, so that the edition adds none.',
  path: 'addPhotographs',
};

const withoutUndefined = (meta: object): object =>
  Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== undefined));

/** Merges member by member: those of the request take precedence, then changed details. Comments on other areas stay. */
function mergedMeta(before: unknown, changed: { readonly [name: string]: unknown }, sent: object) {
  const { areaComments, ...members } = changed;
  const earlier = before as { readonly areaComments?: object } | null;
  const comments = areaComments ? { areaComments: { ...earlier?.areaComments, ...areaComments } } : {};
  const given = { ...members, ...comments, ...withoutUndefined(sent) };
  const merged = { ...earlier, ...given };
  // The logo of the earlier edition is already the id of an asset.
  return splitLogo(given).logo === undefined ? { meta: merged, logo: undefined } : splitLogo(merged);
}
