import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { InvalidRequest } from '../../common/service-error.js';
import { apiCallOf } from '../../executions/api-call.js';
import type { Claim } from '../../inspection/claims/claim.js';
import { ClaimService } from '../../inspection/claims/claim.service.js';
import { EditionClaims } from '../../inspection/claims/edition-claims.js';
import type { EditionCorrection } from '../../inspection/claims/edition-corrections.js';
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
  readonly reason: string;
  /** The author: a key's name, or `admin`. */
  readonly by: string;
  /** The caller in the queue of the picture workers. */
  readonly who: string;
}

/** The claim of an earlier report as the source of its next edition (contract section 6). Nothing is claimed for it. */
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

  /** Throws 404, and 401 or 403 without the keys of the report's flows or the admin key. */
  async access(request: Request, reportId: string): Promise<SourceAccess> {
    const report = await this.vault.get(reportId);
    apiCallOf(request).chatId = report.sessionId;
    await this.rights.requireToRead(request, report.flowIds);
    return { scope: `edition ${reportId}`, ...(await this.rights.findFlows(request, report.flowIds)) };
  }

  /** Returns the size limit of the earlier edition, which applies to the next one too. Throws 404. */
  async maxBytesOf(reportId: string): Promise<number | null> {
    return (await this.vault.get(reportId)).maxBytes;
  }

  private async taking(edition: EditionRequest, { executionId }: SourceCaller): Promise<Taking> {
    const { reportId, corrections, by, reason, who } = edition;
    const replaced = await this.claimOf(await this.vault.get(reportId));
    await this.editions.makePrints(replaced, corrections, who);
    const merged = { ...(replaced.meta as object | null), ...withoutUndefined(edition.meta) };
    const added = splitLogo(edition.meta).logo;
    // The logo of the earlier edition is already the id of an asset.
    const { meta, logo } = added === undefined ? { meta: merged, logo: undefined } : splitLogo(merged);
    return async (tx) => {
      const claim = await this.editions.claim(tx, { replaced, corrections, by, reason, meta, executionId });
      return { ...claim, request: { logo, warnings: [] } };
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

const withoutUndefined = (meta: object): object =>
  Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== undefined));
