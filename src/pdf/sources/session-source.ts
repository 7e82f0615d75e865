import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { pageOf } from '../../auth/guards/allowed-domain.js';
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
    private readonly flows: FlowStore,
    private readonly own: SessionAccess,
  ) {}

  sourceOf(from: PendingPhotographs, details: SourceDetails): ReportSource {
    return {
      access: (request, use) => this.access(request, from, use),
      taking: (caller) => this.taking(from, details, caller),
      touched: [sessionKey(from.sessionId)],
      printable: (claim) => this.printable(claim),
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
    details: SourceDetails,
    caller: SourceCaller,
  ): Promise<Taking> {
    const { sessionId } = from;
    const { flowIds, executionId, detailsOf = [] } = caller;
    const source = storedDetails(details);
    const brandOf = await brandsOf(flowIds, this.flows);
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
        const logos = { logo, warnings, ...(brandLogo === undefined ? {} : { brandLogo }) };
        return { ...claim, request: logos };
      }
      if (caller.refusal) throw caller.refusal;
      const drawing = await this.claims.isDrawing(tx, sessionId);
      return { nothing: drawing ? 'render_in_progress' : 'nothing_pending', sessionId };
    };
  }

  /** Replaces the logo by the id of an asset, or drops it with a warning. */
  async printable(claim: Claim): Promise<{ claim: Claim; warnings: Warning[] }> {
    const { logo, brandLogo, warnings = [] } = claim.request ?? {};
    const named = logo ?? brandLogo;
    if (named === undefined) return { claim, warnings: [...warnings] };
    const resolved = await this.logos.resolve(named, logo === undefined ? 'chat.brand.logo' : 'meta.logo');
    if ('warning' in resolved) return { claim, warnings: [...warnings, resolved.warning] };
    const meta = { ...(claim.meta as object), logo: resolved.assetId };
    return { claim: { ...claim, meta }, warnings: [...warnings] };
  }
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
