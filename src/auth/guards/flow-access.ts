import { applyDecorators, Injectable, type OnModuleInit, SetMetadata, UseGuards } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Request } from 'express';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { bearerToken } from '../../common/secrets/constant-time.js';
import { FlowNotFound, ServiceError } from '../../common/service-error.js';
import { findApiCall } from '../../executions/api-call.js';
import type { Flow } from '../../flows/definition/flow.js';
import { FlowStore } from '../../flows/store/flow-store.js';
import { AddressBlock } from '../address-block/address-block.js';
import { ApiKeys } from '../api-keys/api-keys.js';
import {
  FLOW_ACCESS_OPTIONS,
  flowAccessOf,
  type FlowAccessOptions,
  type FlowCall,
  flowCallOf,
  FlowCheck,
  type GrantedAccess,
  openFlowCall,
} from '../flow-call.js';
import { FlowRateLimit } from '../rate-limit/flow-rate-limit.js';
import { AddressBlockGuard } from './address-block.guard.js';
import { AllowedDomainsGuard, allowsPage, DomainNotAllowed } from './allowed-domains.guard.js';
import { ApiKeyGuard, InvalidApiKey } from './api-key.guard.js';
import { FlowDisabled, FlowEnabledGuard } from './flow-enabled.guard.js';
import { FlowExistsGuard } from './flow-exists.guard.js';

/** Answers 429 `rate_limited` (description section 8). Runs last, to count only calls that could run. */
@Injectable()
class RateLimitGuard extends FlowCheck {
  constructor(private readonly rateLimit: FlowRateLimit) {
    super();
  }

  async check(call: FlowCall): Promise<void> {
    const counts = call.options.rateLimit !== false && !call.onlyAnswers;
    if (call.flow && counts) await this.rateLimit.take(call);
  }
}

/**
 * The ordered checks in front of a flow (description sections 5, 7 and 8; contract section 2), all before the body is
 * read: 429 address_blocked → 404 flow_not_found → 401 invalid_api_key → 403 domain_not_allowed or
 * share_link_not_public → 503 flow_disabled → 429 rate_limited.
 */
export const FLOW_CHECKS = [
  AddressBlockGuard,
  FlowExistsGuard,
  ApiKeyGuard,
  AllowedDomainsGuard,
  FlowEnabledGuard,
  RateLimitGuard,
] as const;

/** Admits only calls that may use the flow named by the route. `flowAccessOf(request)` then returns their access. */
export const RequiresFlowAccess = (options: FlowAccessOptions = {}): MethodDecorator =>
  applyDecorators(SetMetadata(FLOW_ACCESS_OPTIONS, options), UseGuards(...FLOW_CHECKS));

/** The checks of `@RequiresFlowAccess()` for calls that do not name their flow in the path (contract section 2). */
@Injectable()
export class FlowAccess implements OnModuleInit {
  private checks: readonly FlowCheck[] = [];

  constructor(
    private readonly modules: ModuleRef,
    private readonly flows: FlowStore,
    private readonly apiKeys: ApiKeys,
    private readonly adminGuard: AdminGuard,
    private readonly config: AppConfig,
    private readonly addressBlock: AddressBlock,
    private readonly rateLimit: FlowRateLimit,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.checks = FLOW_CHECKS.map((check) => this.modules.get<FlowCheck>(check));
  }

  /**
   * Runs the checks in order for a flow id from a body or query. Throws the first refusal. A request that was already
   * admitted to this flow is neither checked nor counted again.
   */
  async admit(request: Request, flowId: string, options: FlowAccessOptions = {}): Promise<GrantedAccess> {
    const earlier = flowCallOf(request);
    if (earlier?.flow && earlier.flowId === flowId) return flowAccessOf(request);
    const arrivedAt = earlier?.arrivedAt ?? findApiCall(request)?.startedAt ?? this.clock.now();
    const call = openFlowCall(request, flowId, options, arrivedAt);
    call.isAdmin = options.adminPasses === true && this.adminGuard.holdsAdminKey(request);
    for (const check of this.checks) await check.run(call);
    return flowAccessOf(request);
  }

  /**
   * Reads the body of a call and completes the checks of a flow that is switched off and takes `answers`. Throws 503 for a
   * body that answers no question, and for one that is refused: this check precedes those of the body.
   */
  async admitAnswer<Body>(
    request: Request,
    read: () => Promise<Body>,
    isAnswer: (body: Body) => boolean,
  ): Promise<Body> {
    const call = flowCallOf(request);
    if (!call?.onlyAnswers) return read();
    const body = await read().catch((error: unknown) => {
      if (error instanceof ServiceError && error.status < 500) return undefined;
      throw error;
    });
    if (body === undefined || !isAnswer(body)) {
      await this.rateLimit.announce(call);
      throw new FlowDisabled();
    }
    await this.rateLimit.take(call);
    return body;
  }

  /** Checks the address block alone, for a call whose body was read and names no flow. */
  async checkAddress(request: Request): Promise<void> {
    const arrivedAt = flowCallOf(request)?.arrivedAt ?? this.clock.now();
    await this.modules.get(AddressBlockGuard).check(openFlowCall(request, undefined, {}, arrivedAt));
  }

  /** Returns true if `deletedToo` admitted the call although there is no such flow. */
  isFlowGone(request: Request): boolean {
    return flowCallOf(request)?.isFlowGone === true;
  }

  /** Returns the refusal of a call whose flow is gone. It counts as a miss, except for an admin. */
  async refusalOfGone(request: Request): Promise<ServiceError> {
    const { address, isAdmin } = flowCallOf(request)!;
    return isAdmin ? new FlowNotFound() : this.addressBlock.strike(address);
  }

  /** Returns true if the call carries the key of this flow; false for an open flow. */
  async presentsKeyOf(request: Request, flow: Pick<Flow, 'access'>): Promise<boolean> {
    const { apiKeyId } = flow.access;
    const token = bearerToken(request.headers.authorization);
    return apiKeyId !== null && token !== undefined && this.apiKeys.opens(apiKeyId, token);
  }

  /**
   * Returns the refusal of a call that may not use the records of the flow: 401 without its key, 403 from a page that
   * is not on its list.
   */
  async refusalToUse(request: Request, flow: Flow): Promise<ServiceError | undefined> {
    const opened = flow.access.apiKeyId === null || (await this.presentsKeyOf(request, flow));
    if (!opened) return new InvalidApiKey(request);
    return this.refusalOfPage(request, [flow]);
  }

  /**
   * Returns the refusal of a call that may not read the common records of these flows; undefined for the admin key. 401
   * unless at least one flow is keyed and the call carries the key of every keyed one; then 403 from a page that any of
   * their lists refuses.
   */
  async refusalToRead(request: Request, flowIds: readonly string[]): Promise<ServiceError | undefined> {
    if (this.adminGuard.holdsAdminKey(request)) return undefined;
    if (bearerToken(request.headers.authorization) === undefined) return new InvalidApiKey(request);
    const flows: Flow[] = [];
    for (const flowId of flowIds) {
      const flow = await this.flows.find(flowId);
      if (!flow) return new InvalidApiKey(request);
      flows.push(flow);
    }
    const keyed = flows.filter(({ access }) => access.apiKeyId !== null);
    if (keyed.length === 0) return new InvalidApiKey(request);
    for (const flow of keyed)
      if (!(await this.presentsKeyOf(request, flow))) return new InvalidApiKey(request);
    return this.refusalOfPage(request, flows);
  }

  /** Returns 403 if the list of any of these flows refuses the calling page. */
  refusalOfPage(request: Request, flows: readonly Flow[]): ServiceError | undefined {
    return flows.every((flow) => allowsPage(flow, request, this.config)) ? undefined : new DomainNotAllowed();
  }
}
