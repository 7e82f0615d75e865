import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { FlowDoor } from '../auth/flow-door.js';
import { InvalidApiKey } from '../auth/guards/api-key.guard.js';
import { AdminGuard } from '../common/admin.guard.js';
import type { ServiceError } from '../common/service-error.js';
import { FlowStore } from '../flows/definition/flow-store.js';
import type { Flow } from '../flows/definition/flow.js';
import { ClaimService } from '../inspection/claim.service.js';

/** What a caller may do with the photographs of a session. */
interface SessionAccess {
  /** Flows whose photographs this caller may use. */
  flows: Flow[];
  /** Photographs of other flows are pending, not for this caller: what to refuse with when nothing else is. */
  closedPending?: ServiceError;
  /** The key that was checked, of one of the flows. */
  apiKeyId?: string;
}

/**
 * Who may render and read what (contract section 6): a photograph whose flow has a key needs that key, one of an open
 * flow none; a finished report is for the keys of its flows, or the admin key.
 */
@Injectable()
export class RenderAccess {
  constructor(
    private readonly claims: ClaimService,
    private readonly flows: FlowStore,
    private readonly door: FlowDoor,
    private readonly admin: AdminGuard,
  ) {}

  /** With `flowId` the flow's own checks decide, and throw; without it, each photograph's flow. */
  async toSession(request: Request, sessionId: string, flowId?: string): Promise<SessionAccess> {
    if (flowId !== undefined) {
      const { flow, apiKeyId } = await this.door.admit(request, flowId, { rateLimit: false });
      return { flows: [flow], ...(apiKeyId === undefined ? {} : { apiKeyId }) };
    }
    const access: SessionAccess = { flows: [] };
    for (const found of await this.claims.flowsOfSession(sessionId)) {
      const flow = await this.flows.find(found.flowId);
      if (flow && (await this.mayUse(request, flow))) {
        access.flows.push(flow);
        if (flow.access.apiKeyId !== null) access.apiKeyId = flow.access.apiKeyId;
      } else if (found.pending) access.closedPending = new InvalidApiKey(request);
    }
    return access;
  }

  /** Those of the flows that exist, and the key among theirs that the caller presents. */
  async flowsOf(request: Request, flowIds: readonly string[]): Promise<Omit<SessionAccess, 'closedPending'>> {
    const found = await Promise.all(flowIds.map((flowId) => this.flows.find(flowId)));
    const access: Omit<SessionAccess, 'closedPending'> = {
      flows: found.filter((flow) => flow !== undefined),
    };
    for (const flow of access.flows) {
      const { apiKeyId } = flow.access;
      if (apiKeyId !== null && (await this.door.presentsKeyOf(request, flow))) access.apiKeyId ??= apiKeyId;
    }
    return access;
  }

  /** Whether the caller presents the key of a flow that photographs of this session came from. */
  async holdsKeyOf(request: Request, sessionId: string): Promise<boolean> {
    return (await this.toSession(request, sessionId)).apiKeyId !== undefined;
  }

  holdsAdminKey(request: Request): boolean {
    return this.admin.holdsAdminKey(request);
  }

  /** Whether the caller may read a report of these flows: with the admin key, or the key of every keyed one among them. */
  async mayRead(request: Request, flowIds: readonly string[]): Promise<boolean> {
    if (this.admin.holdsAdminKey(request)) return true;
    let checked = 0;
    for (const flowId of flowIds) {
      const flow = await this.flows.find(flowId);
      if (!flow) return false;
      if (flow.access.apiKeyId === null) continue;
      if (!(await this.door.presentsKeyOf(request, flow))) return false;
      checked++;
    }
    return checked > 0;
  }

  private async mayUse(request: Request, flow: Flow): Promise<boolean> {
    return flow.access.apiKeyId === null || this.door.presentsKeyOf(request, flow);
  }
}
