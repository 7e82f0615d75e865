import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DomainNotAllowed } from '../../auth/guards/allowed-pages.js';
import { InvalidApiKey } from '../../auth/guards/api-key.guard.js';
import { FlowDoor } from '../../auth/guards/flow-door.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { NotFound } from '../../common/service-error.js';
import { InspectionSessions } from './inspection-sessions.js';

/**
 * Who may see what an inspection recorded: the holder of the admin key, or of the flow's key on a page that the flow's
 * list lets in (contract sections 4 and 5).
 */
@Injectable()
export class SessionAccess {
  constructor(
    private readonly door: FlowDoor,
    private readonly adminGuard: AdminGuard,
    private readonly sessions: InspectionSessions,
  ) {}

  /** 401 or 403 unless the call may list the sessions of this flow, or of all flows when none is named. */
  async toList(request: Request, flowId: string | undefined): Promise<void> {
    if (flowId !== undefined) return this.require(request, flowId);
    if (!this.adminGuard.holdsAdminKey(request)) throw new InvalidApiKey(request);
  }

  /** The flow whose session of this id the call may see. 401 for a caller without a key, 403, 404 when there is none. */
  async toSession(request: Request, sessionId: string, flowId: string | undefined): Promise<string> {
    const flows = await this.sessions.flowsOf(sessionId);
    let ofPage: DomainNotAllowed | undefined;
    for (const flow of flows) {
      if ((flowId ?? flow) !== flow) continue;
      const refusal = await this.door.refusalToRead(request, [flow]);
      if (!refusal) return flow;
      if (refusal instanceof DomainNotAllowed) ofPage = refusal;
    }
    if (ofPage) throw ofPage;
    await this.toList(request, flowId);
    throw new NotFound('This inspection session');
  }

  /** 401 or 403 unless the call may see what belongs to this flow; a caller without the admin key learns nothing of what is missing. */
  async toFlow(request: Request, flowId: string | undefined): Promise<void> {
    if (flowId !== undefined) return this.require(request, flowId);
    if (this.adminGuard.holdsAdminKey(request)) throw new NotFound('This photograph');
    throw new InvalidApiKey(request);
  }

  private async require(request: Request, flowId: string): Promise<void> {
    const refusal = await this.door.refusalToRead(request, [flowId]);
    if (refusal) throw refusal;
  }
}
