import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Warning } from '../../common/warnings.js';
import { pageOf } from '../../auth/guards/allowed-domain.js';
import { apiCallOf } from '../../executions/api-call.js';
import type { Claim } from '../../inspection/claim.js';
import { requirementsOf } from '../../inspection/claim-requirements.js';
import { ClaimService } from '../../inspection/claim.service.js';
import { Logos, splitLogo } from '../logos.js';
import { RenderAccess } from '../render-access.js';
import type { RenderCaller } from '../render-records.js';
import type { InspectionOrder } from '../render-request.js';
import type { DocumentContents } from '../renderer/document-contents.js';
import type { ReportSource, SourceAccess, Taking } from './report-source.js';

/** A session's pending photographs, claimed once (description section 4.3, contract section 6). */
@Injectable()
export class InspectionSource implements ReportSource<InspectionOrder> {
  constructor(
    private readonly render: RenderAccess,
    private readonly claims: ClaimService,
    private readonly logos: Logos,
  ) {}

  async access(request: Request, { sessionId, flowId }: InspectionOrder): Promise<SourceAccess> {
    apiCallOf(request).chatId = sessionId;
    const access = await this.render.toSession(request, sessionId, flowId);
    return {
      scope: `${flowId ?? ''} ${sessionId}${flowId === undefined ? pageScope(request) : ''}`,
      ...access,
    };
  }

  /** Throws 401 or 403 when all that is pending is of flows that this caller may not use, and 409 `incomplete_inspection`. */
  taking(order: InspectionOrder, caller: RenderCaller): Promise<Taking> {
    const { sessionId } = order;
    const { flowIds, executionId } = caller;
    const requirements = requirementsOf(order.meta, order);
    const { meta } = splitLogo(order.meta);
    return Promise.resolve(async (tx) => {
      const claim = await this.claims.claim(tx, { sessionId, flowIds, executionId, meta, requirements });
      if (claim) return claim;
      if (caller.refusal) throw caller.refusal;
      const drawing = await this.claims.isDrawing(tx, sessionId);
      return { nothing: drawing ? 'render_in_progress' : 'nothing_pending', sessionId };
    });
  }

  /** With the logo as the id of an asset, or without it and a warning. */
  async printable(claim: Claim, order: InspectionOrder): Promise<{ claim: Claim; warnings: Warning[] }> {
    const { logo } = splitLogo(order.meta);
    if (logo === undefined) return { claim, warnings: [] };
    const resolved = await this.logos.resolve(logo);
    if ('warning' in resolved) return { claim, warnings: [resolved.warning] };
    return { claim: { ...claim, meta: { ...(claim.meta as object), logo: resolved.assetId } }, warnings: [] };
  }

  async contents(claim: Claim): Promise<DocumentContents> {
    return { template: 'inspection', input: await this.claims.reportInput(claim) };
  }
}

/** Where no flow was named and its list asked, an answer is kept for the page that got it alone. */
function pageScope(request: Request): string {
  const page = pageOf(request.headers);
  return page === undefined ? '' : ` ${page === 'opaque' ? page : page.origin}`;
}
