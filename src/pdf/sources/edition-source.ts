import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { InvalidRequest } from '../../common/service-error.js';
import type { Warning } from '../../common/warnings.js';
import { apiCallOf } from '../../executions/api-call.js';
import type { Claim } from '../../inspection/claims/claim.js';
import { ClaimService } from '../../inspection/claims/claim.service.js';
import { type AddedPhotographs, EditionClaims } from '../../inspection/claims/edition-claims.js';
import type { EditionCorrection } from '../../inspection/claims/edition-corrections.js';
import { buildReport } from '../../inspection/report/build-report.js';
import { splitLogo } from '../logos/logos.js';
import { ReportAccess } from '../vault/report-access.js';
import { ReportVault, type StoredReport } from '../vault/report-vault.js';
import type { ReportSource, SourceAccess, SourceCaller, Taking } from './report-source.js';
import { SessionSource } from './session-source.js';

/** The request for a further edition of a report. */
export interface EditionRequest {
  readonly reportId: string;
  /** Members that replace those of the earlier edition. */
  readonly meta: object;
  readonly corrections: readonly EditionCorrection[];
  /** Pending photographs that it adds. */
  readonly addPhotographs?: AddedPhotographs;
  /** Set to make no edition if no photograph is pending. */
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
      printable: (claim) => this.session.printable(claim),
    };
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

  private async taking(edition: EditionRequest, { executionId, flowIds }: SourceCaller): Promise<Taking> {
    const { reportId, corrections, by, reason, who, addPhotographs: photographs, onlyToAdd } = edition;
    const replaced = await this.claimOf(await this.vault.get(reportId));
    await this.editions.makePrints(replaced, corrections, who);
    const merged = { ...(replaced.meta as object | null), ...withoutUndefined(edition.meta) };
    const added = splitLogo(edition.meta).logo;
    // The logo of the earlier edition is already the id of an asset.
    const { meta, logo } = added === undefined ? { meta: merged, logo: undefined } : splitLogo(merged);
    const { photographIds: numbered } = buildReport(await this.claims.reportInput(replaced));
    const add = photographs === undefined ? {} : { add: { flowIds, photographs } };
    const order = { replaced, corrections, ...add, numbered, by, reason, meta, executionId };
    return async (tx) => {
      if (onlyToAdd && !(await this.claims.hasPending(tx, replaced.sessionId, flowIds)))
        return { nothing: 'nothing_pending', sessionId: replaced.sessionId };
      const claim = await this.editions.claim(tx, order);
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

const NOTHING_PENDING: Warning = {
  code: 'nothing_pending',
  message: 'No photograph of this inspection is pending, so that the edition adds none.',
  path: 'addPhotographs',
};

const withoutUndefined = (meta: object): object =>
  Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== undefined));
