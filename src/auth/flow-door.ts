import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Request } from 'express';
import { AdminGuard } from '../common/admin.guard.js';
import { Clock } from '../common/clock.js';
import { bearerToken } from '../common/constant-time.js';
import { findApiCall } from '../executions/api-call.js';
import type { Flow } from '../flows/definition/flow.js';
import { FlowStore } from '../flows/definition/flow-store.js';
import { ApiKeys } from './api-keys/api-keys.js';
import { FLOW_CHECKS } from './flow-access.decorator.js';
import {
  flowAccessOf,
  type FlowAccessOptions,
  flowCallOf,
  type GrantedAccess,
  openFlowCall,
} from './flow-access.js';
import type { FlowCheck } from './guards/flow-check.js';

/** The same checks as `@FlowAccess()`, for calls that name their flow elsewhere than in the path (contract section 2). */
@Injectable()
export class FlowDoor implements OnModuleInit {
  private checks: readonly FlowCheck[] = [];

  constructor(
    private readonly modules: ModuleRef,
    private readonly flows: FlowStore,
    private readonly apiKeys: ApiKeys,
    private readonly adminGuard: AdminGuard,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.checks = FLOW_CHECKS.map((check) => this.modules.get<FlowCheck>(check));
  }

  /**
   * Runs the checks, in their order, for a flow id found in a body or query; throws what the first of them refuses
   * with. A request that was already let into this flow is not checked or counted again.
   */
  async admit(request: Request, flowId: string, options: FlowAccessOptions = {}): Promise<GrantedAccess> {
    const earlier = flowCallOf(request);
    if (earlier?.flow && earlier.flowId === flowId) return flowAccessOf(request);
    const arrivedAt = earlier?.arrivedAt ?? findApiCall(request)?.startedAt ?? this.clock.now();
    const call = openFlowCall(request, flowId, options, arrivedAt);
    for (const check of this.checks) await check.check(call);
    return flowAccessOf(request);
  }

  /** Whether the call carries the key of this flow; never true of an open flow. */
  async presentsKeyOf(request: Request, flow: Pick<Flow, 'access'>): Promise<boolean> {
    const { apiKeyId } = flow.access;
    const token = bearerToken(request.headers.authorization);
    return apiKeyId !== null && token !== undefined && this.apiKeys.opens(apiKeyId, token);
  }

  /** Whether the call may read what belongs to a flow: with the admin key, or with the flow's own key. */
  async maySee(request: Request, flowId: string): Promise<boolean> {
    if (this.adminGuard.holdsAdminKey(request)) return true;
    if (bearerToken(request.headers.authorization) === undefined) return false;
    const flow = await this.flows.find(flowId);
    return flow !== undefined && this.presentsKeyOf(request, flow);
  }
}
