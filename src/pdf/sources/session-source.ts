import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { pageOf } from '../../auth/guards/allowed-domain.js';
import { NotFound } from '../../common/service-error.js';
import type { Warning } from '../../common/warnings.js';
import { sessionKey, type WriteKey } from '../../database/writes/write-keys.js';
import { apiCallOf } from '../../executions/api-call.js';
import { SessionAccess } from '../../inspection/access/session-access.js';
import { requirementsOf } from '../../inspection/claims/claim-requirements.js';
import type { Claim } from '../../inspection/claims/claim.js';
import { ClaimService } from '../../inspection/claims/claim.service.js';
import { lockLatest, spendComments } from '../../inspection/details/details-rows.js';
import { fillMeta } from '../../inspection/details/fill-meta.js';
import type { ReportInput } from '../../inspection/report/report-input.js';
import { FlowBrands } from '../logos/flow-brands.js';
import { Logos, splitLogo } from '../logos/logos.js';
import { RenderAccess } from '../render/render-access.js';
import type { RenderCaller } from '../render/render-records.js';
import type { PendingPhotographs } from '../templates/source.js';
import type { SourceDetails } from '../templates/template.js';
import { keptDetails } from './claimed-details.js';
import type { ReportSource, SourceAccess, SourceUse, Taking } from './report-source.js';

/** A session's pending photographs, claimed once (description section 4.3, contract section 6). */
@Injectable()
export class SessionSource implements ReportSource<PendingPhotographs> {
  constructor(
    private readonly render: RenderAccess,
    private readonly claims: ClaimService,
    private readonly logos: Logos,
    private readonly brands: FlowBrands,
    private readonly own: SessionAccess,
  ) {}

  async access(
    request: Request,
    { sessionId, flowId }: PendingPhotographs,
    { preview }: SourceUse,
  ): Promise<SourceAccess> {
    apiCallOf(request).chatId = sessionId;
    if (preview) return this.toLookAt(request, sessionId, flowId);
    const access = await this.render.toSession(request, sessionId, flowId);
    return {
      scope: `${flowId ?? ''} ${sessionId}${flowId === undefined ? pageScope(request) : ''}`,
      ...access,
      detailsOf: this.render.readersOf(request, sessionId, access.flows),
    };
  }

  /** The session of one flow, for whoever may read what is its own (contract section 5); none where no flow has it. */
  private async toLookAt(
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
      ...(await this.render.flowsOf(request, flowIds)),
      detailsOf: flowIds,
    };
  }

  /** Throws 401 or 403 when all that is pending is of flows that this caller may not use, and 409 `incomplete_inspection`. */
  async taking(from: PendingPhotographs, details: SourceDetails, caller: RenderCaller): Promise<Taking> {
    const { sessionId } = from;
    const { flowIds, executionId, detailsOf = [] } = caller;
    const source = keptDetails(details);
    const brandOf = await this.brands.of(flowIds);
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

  touched({ sessionId }: PendingPhotographs): WriteKey[] {
    return [sessionKey(sessionId)];
  }

  /** With the logo as the id of an asset, or without it and a warning. */
  async printable(claim: Claim): Promise<{ claim: Claim; warnings: Warning[] }> {
    const { logo, brandLogo, warnings = [] } = claim.request ?? {};
    const named = logo ?? brandLogo;
    if (named === undefined) return { claim, warnings: [...warnings] };
    const resolved = await this.logos.resolve(named, logo === undefined ? 'chat.brand.logo' : 'meta.logo');
    if ('warning' in resolved) return { claim, warnings: [...warnings, resolved.warning] };
    const meta = { ...(claim.meta as object), logo: resolved.assetId };
    return { claim: { ...claim, meta }, warnings: [...warnings] };
  }

  async inputs(claim: Claim): Promise<ReportInput[]> {
    return [await this.claims.reportInput(claim)];
  }
}

/** Whether the flow's logo may stand in: a `meta` that names one, or leaves its place blank, is left as it is. */
const isLeftOut = (meta: unknown): boolean =>
  meta === undefined ||
  meta === null ||
  (typeof meta === 'object' && !Array.isArray(meta) && (meta as { logo?: unknown }).logo === undefined);

/** Where no flow was named, so that no list was checked, an answer is kept for the page that got it alone. */
function pageScope(request: Request): string {
  const page = pageOf(request.headers);
  return page === undefined ? '' : ` ${page === 'opaque' ? page : page.origin}`;
}
