import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { InvalidApiKey } from '../../auth/guards/api-key.guard.js';
import { FlowAccess } from '../../auth/guards/flow-access.js';
import { isItsOwnKey } from '../../auth/own-session.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import type { ServiceError } from '../../common/service-error.js';
import type { Flow } from '../../flows/definition/flow.js';
import { FlowStore } from '../../flows/store/flow-store.js';
import { ClaimService } from '../../inspection/claims/claim.service.js';

/** The rights of a caller to the photographs of a session. */
interface SessionAccess {
  /** Flows whose photographs this caller may use. */
  flows: Flow[];
  /** Set where photographs of other flows are pending: the refusal if no others are. */
  refusal?: ServiceError;
  /** The key that was checked, of one of the flows. */
  apiKeyId?: string;
}

/**
 * Who may render and read what (contract sections 4 and 6): a photograph whose flow has a key needs that key, one of an
 * open flow none, and each a page that its flow's list lets in; a finished report is for the keys of its flows, or the
 * admin key.
 */
@Injectable()
export class ReportAccess {
  constructor(
    private readonly claims: ClaimService,
    private readonly flows: FlowStore,
    private readonly access: FlowAccess,
    private readonly admin: AdminGuard,
  ) {}

  /** With `flowId` the flow's own checks decide, and throw; without it, each photograph's flow. */
  async toSession(request: Request, sessionId: string, flowId?: string): Promise<SessionAccess> {
    if (flowId !== undefined) {
      const { flow, apiKeyId } = await this.access.admit(request, flowId, { rateLimit: false });
      return { flows: [flow], ...(apiKeyId === undefined ? {} : { apiKeyId }) };
    }
    const access: SessionAccess = { flows: [] };
    for (const found of await this.claims.flowsOfSession(sessionId)) {
      const flow = await this.flows.find(found.flowId);
      const refusal = flow ? await this.access.refusalToUse(request, flow) : new InvalidApiKey(request);
      if (flow && !refusal) {
        access.flows.push(flow);
        if (flow.access.apiKeyId !== null) access.apiKeyId = flow.access.apiKeyId;
      } else if (refusal && found.pending && access.refusal?.status !== 401) access.refusal = refusal;
    }
    return access;
  }

  /** Those of the flows that the caller may use whose record of this session they may read, too (contract section 5). */
  readersOf(request: Request, sessionId: string, flows: readonly Flow[]): string[] {
    const knowsIt = isItsOwnKey(sessionId) || this.admin.holdsAdminKey(request);
    return flows.filter(({ access }) => knowsIt || access.apiKeyId !== null).map(({ id }) => id);
  }

  /** Those of the flows that exist, and the key among theirs that the caller presents. */
  async flowsOf(request: Request, flowIds: readonly string[]): Promise<Omit<SessionAccess, 'refusal'>> {
    const access: Omit<SessionAccess, 'refusal'> = { flows: await this.existing(flowIds) };
    for (const flow of access.flows) {
      const { apiKeyId } = flow.access;
      if (apiKeyId !== null && (await this.access.presentsKeyOf(request, flow))) access.apiKeyId ??= apiKeyId;
    }
    return access;
  }

  /** Why the caller may not list the reports of this session: nothing for the key of a flow that photographs of it came from. */
  async refusalToList(request: Request, sessionId: string): Promise<ServiceError | undefined> {
    let refusal: ServiceError = new InvalidApiKey(request);
    for (const { flowId } of await this.claims.flowsOfSession(sessionId)) {
      const found = await this.access.refusalToRead(request, [flowId]);
      if (!found) return undefined;
      if (found.status === 403) refusal = found;
    }
    return refusal;
  }

  holdsAdminKey(request: Request): boolean {
    return this.admin.holdsAdminKey(request);
  }

  /** Why the caller may not read a report of these flows (`FlowAccess.refusalToRead`). */
  refusalToRead(request: Request, flowIds: readonly string[]): Promise<ServiceError | undefined> {
    return this.access.refusalToRead(request, flowIds);
  }

  /** Throws 401 or 403 unless the caller may read a report of these flows. */
  async requireToRead(request: Request, flowIds: readonly string[]): Promise<void> {
    const refusal = await this.refusalToRead(request, flowIds);
    if (refusal) throw refusal;
  }

  /** 403 from a page that the list of any of these flows refuses, for what needs no key; nothing for the admin key. */
  async refusalOfPage(request: Request, flowIds: readonly string[]): Promise<ServiceError | undefined> {
    return this.admin.holdsAdminKey(request)
      ? undefined
      : this.access.refusalOfPage(request, await this.existing(flowIds));
  }

  private async existing(flowIds: readonly string[]): Promise<Flow[]> {
    const found = await Promise.all(flowIds.map((flowId) => this.flows.find(flowId)));
    return found.filter((flow) => flow !== undefined);
  }
}
