import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { ReportLayout } from '../../api/report-terms.js';
import { pageOf } from '../../auth/guards/allowed-domains.guard.js';
import { NotFound } from '../../common/service-error.js';
import type { Warning } from '../../common/warnings.js';
import { sessionKey } from '../../database/writes/write-keys.js';
import { apiCallOf } from '../../executions/api-call.js';
import { FlowStore } from '../../flows/store/flow-store.js';
import { SessionAccess } from '../../inspection/access/session-access.js';
import { requirementsOf } from '../../inspection/claims/claim-requirements.js';
import type { Claim } from '../../inspection/claims/claim.js';
import { ClaimService } from '../../inspection/claims/claim.service.js';
import { lockLatest, spendComments } from '../../inspection/details/details-rows.js';
import { fillMeta } from '../../inspection/details/fill-meta.js';
import { unreadableReport } from '../../inspection/details/readable-report.js';
import { previousReportIn } from '../../inspection/report/front-matter.js';
import { storedDetails } from '../drawing/report-contents.js';
import { brandsOf } from '../logos/flow-brands.js';
import { Logos, splitLogo } from '../logos/logos.js';
import type { PendingPhotographs, SourceDetails } from '../templates/template.js';
import { ReportAccess } from '../vault/report-access.js';
import type { ReportSource, SourceAccess, SourceCaller, SourceUse, Taking } from './report-source.js';

/** A session's pending photographs, claimed once (description section 4.3, contract section 6). */
@Injectable()
export class SessionSource {
  constructor(
    private readonly rights: ReportAccess,
    private readonly claims: ClaimService,
    private readonly logos: Logos,
    @Inject(FlowStore) private readonly flows: Pick<FlowStore, 'find'>,
    private readonly own: SessionAccess,
  ) {}

  sourceOf(from: PendingPhotographs, details: SourceDetails, layout?: ReportLayout): ReportSource {
    return {
      access: (request, use) => this.access(request, from, use),
      taking: (caller) => this.taking(from, { details, layout }, caller),
      touched: [sessionKey(from.sessionId)],
      printable: (claim, caller) => this.printable(claim, caller),
    };
  }

  private async access(
    request: Request,
    { sessionId, flowId }: PendingPhotographs,
    { preview }: SourceUse,
  ): Promise<SourceAccess> {
    apiCallOf(request).chatId = sessionId;
    if (preview) return this.accessToPreview(request, sessionId, flowId);
    const access = await this.rights.admitToSession(request, sessionId, flowId);
    return {
      scope: `${flowId ?? ''} ${sessionId}${flowId === undefined ? pageScope(request) : ''}`,
      ...access,
      detailsOf: this.rights.readableFlowIds(request, sessionId, access.flows),
    };
  }

  /** Finds the flow of a session for callers who may read it (contract section 5); no flow if none has the session. */
  private async accessToPreview(
    request: Request,
    sessionId: string,
    flowId: string | undefined,
  ): Promise<SourceAccess> {
    const own = await this.own.open(request, sessionId, flowId).catch((error: unknown) => {
      if (error instanceof NotFound) return undefined;
      throw error;
    });
    const flowIds = own ? [own.flowId] : [];
    return {
      scope: `preview ${flowIds.join('')} ${sessionId}`,
      ...(await this.rights.findFlows(request, flowIds)),
      detailsOf: flowIds,
    };
  }

  /** Throws 401 or 403 if all pending photographs are of flows that this caller may not use, and 409 `incomplete_inspection`. */
  private async taking(
    from: PendingPhotographs,
    { details, layout }: { details: SourceDetails; layout: ReportLayout | undefined },
    caller: SourceCaller,
  ): Promise<Taking> {
    const { sessionId } = from;
    const { flowIds, executionId, detailsOf = [] } = caller;
    const source = storedDetails(details);
    const brandOf = await brandsOf(flowIds, this.flows, layout);
    return async (tx) => {
      const record = await lockLatest(tx, sessionId, detailsOf);
      const { meta: whole, filled, warnings } = fillMeta(from.meta, record?.details ?? {});
      const { meta, logo } = splitLogo(whole);
      const requirements = requirementsOf(whole, from);
      const look = (shown: readonly string[]) => brandOf(shown).look;
      const order = { sessionId, flowIds, executionId, source, meta, requirements, look };
      const claim = await this.claims.claim(tx, order);
      if (claim) {
        if (record && filled.has('areaComments'))
          await spendComments(tx, { flowId: record.flowId, sessionId }, claim.id);
        const { logo: brandLogo } = isLeftOut(whole) ? brandOf(claim.flowIds) : {};
        const request = {
          ...{ logo, warnings },
          ...(brandLogo === undefined ? {} : { brandLogo }),
          ...(filled.has('previousReport') ? { previousOfRecord: true as const } : {}),
        };
        return { ...claim, request };
      }
      if (caller.refusal) throw caller.refusal;
      const drawing = await this.claims.isDrawing(tx, sessionId);
      return { nothing: drawing ? 'render_in_progress' : 'nothing_pending', sessionId };
    };
  }

  /** Drops the report of a check-in that the caller names and may not read, and resolves the logo. */
  async printable(
    claim: Claim,
    { mayRead }: Pick<SourceCaller, 'mayRead'>,
  ): Promise<{ claim: Claim; warnings: Warning[] }> {
    const named = previousReportIn(claim.meta);
    if (named === undefined) return this.withLogo(claim);
    const report = await this.claims.findReport(named);
    const isReadable = claim.request?.previousOfRecord ?? (report && (await mayRead(report.flowIds)));
    if (report && isReadable) return this.withLogo(claim);
    const found = await this.withLogo(withoutPrevious(claim));
    return { ...found, warnings: [...found.warnings, unreadableReport('meta.previousReport')] };
  }

  /** Replaces the logo by the id of an asset, or drops it with a warning. */
  async withLogo(claim: Claim): Promise<{ claim: Claim; warnings: Warning[] }> {
    const { logo, brandLogo, warnings = [] } = claim.request ?? {};
    const named = logo ?? brandLogo;
    if (named === undefined) return { claim, warnings: [...warnings] };
    const resolved = await this.logos.resolve(named, logo === undefined ? 'chat.brand.logo' : 'meta.logo');
    if ('warning' in resolved) return { claim, warnings: [...warnings, resolved.warning] };
    const meta = { ...(claim.meta as object), logo: resolved.assetId };
    return { claim: { ...claim, meta }, warnings: [...warnings] };
  }
}

/** Returns the claim without the report of a check-in in its `meta`. */
export function withoutPrevious(claim: Claim): Claim {
  const { previousReport: _, ...meta } = claim.meta as { previousReport: unknown };
  return { ...claim, meta };
}

/** Returns true if the flow's logo is to be used: `meta` neither names a logo nor leaves it blank. */
const isLeftOut = (meta: unknown): boolean =>
  meta === undefined ||
  meta === null ||
  (typeof meta === 'object' && !Array.isArray(meta) && (meta as { logo?: unknown }).logo === undefined);

/** Without a flow no domain list was checked, so a stored answer is replayed only to the page that got it. */
function pageScope(request: Request): string {
  const page = pageOf(request.headers);
  return page === undefined ? '' : ` ${page === 'opaque' ? page : page.origin}`;
}
