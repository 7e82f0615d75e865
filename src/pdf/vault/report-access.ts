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
interface PhotographRights {
  /** The flows whose photographs this caller may use. */
  flows: Flow[];
  /** The refusal for a caller who may use none of the pending photographs. */
  refusal?: ServiceError;
  /** The checked key, which belongs to one of the flows. */
  apiKeyId?: string;
}

/**
 * Access to photographs and reports (contract sections 4 and 6). A photograph of a flow with a key needs that key, one of an
 * open flow none; each needs a page that its flow's domain list admits. A finished report needs the keys of its flows or the
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

  /** With `flowId`, runs the checks of that flow, which throw; without it, checks each flow of the session. */
  async admitToSession(request: Request, sessionId: string, flowId?: string): Promise<PhotographRights> {
    if (flowId !== undefined) {
      const { flow, apiKeyId } = await this.access.admit(request, flowId, {
        rateLimit: false,
        disabledToo: true,
      });
      return { flows: [flow], ...(apiKeyId === undefined ? {} : { apiKeyId }) };
    }
    const access: PhotographRights = { flows: [] };
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

  /** Returns the flows whose record of this session the caller may read (contract section 5). */
  readableFlowIds(request: Request, sessionId: string, flows: readonly Flow[]): string[] {
    const knowsIt = isItsOwnKey(sessionId) || this.admin.holdsAdminKey(request);
    return flows.filter(({ access }) => knowsIt || access.apiKeyId !== null).map(({ id }) => id);
  }

  /** Returns the flows that exist, and the key of one of them that the caller presents. */
  async findFlows(request: Request, flowIds: readonly string[]): Promise<Omit<PhotographRights, 'refusal'>> {
    const access: Omit<PhotographRights, 'refusal'> = { flows: await this.existing(flowIds) };
    for (const flow of access.flows) {
      const { apiKeyId } = flow.access;
      if (apiKeyId !== null && (await this.access.presentsKeyOf(request, flow))) access.apiKeyId ??= apiKeyId;
    }
    return access;
  }

  /**
   * Returns the error for a caller who may not list the reports of this session; undefined for the key of a flow that has
   * photographs in it.
   */
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

  /** Returns the error for a caller who may not read a report of these flows; undefined for one who may. */
  refusalToRead(request: Request, flowIds: readonly string[]): Promise<ServiceError | undefined> {
    return this.access.refusalToRead(request, flowIds);
  }

  /** Throws 401 or 403 unless the caller may read a report of these flows. */
  async requireToRead(request: Request, flowIds: readonly string[]): Promise<void> {
    const refusal = await this.refusalToRead(request, flowIds);
    if (refusal) throw refusal;
  }

  /** Returns 403 for a page that the domain list of one of these flows refuses; none for the admin key. */
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
