import { type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../../common/clock.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { findApiCall } from '../../executions/api-call.js';
import { AccessCache } from '../access-cache.js';
import { AddressBlock } from '../address-block/address-block.js';
import {
  FLOW_ACCESS_OPTIONS,
  type FlowAccessOptions,
  type FlowCall,
  FlowCheck,
  openFlowCall,
} from '../flow-call.js';

/**
 * Answers 429 `address_blocked` while the caller's address is blocked (description section 8). The first of the flow
 * checks; also usable alone on a public route without a flow.
 */
@Injectable()
export class AddressBlockGuard extends FlowCheck {
  constructor(
    private readonly addressBlock: AddressBlock,
    private readonly accessCache: AccessCache,
    private readonly adminGuard: AdminGuard,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const options = optionsOf(context);
    const arrivedAt = findApiCall(request)?.startedAt ?? this.clock.now();
    const call = openFlowCall(request, flowIdIn(request, options), options, arrivedAt);
    call.isAdmin = options.adminPasses === true && this.adminGuard.holdsAdminKey(request);
    if (!call.isAdmin && !isCheckedLater(call)) await this.check(call);
    return true;
  }

  async check(call: FlowCall): Promise<void> {
    this.addressBlock.check(call.address, (await this.accessCache.read(call)).blockedUntil);
  }
}

const optionsOf = (context: ExecutionContext): FlowAccessOptions =>
  (Reflect.getMetadata(FLOW_ACCESS_OPTIONS, context.getHandler()) as FlowAccessOptions | undefined) ?? {};

/** Bodies up to this size are read before the address is checked, so that one statement reads both address and flow. */
const SMALL_BYTES = 64 * 1024;

function isCheckedLater({ options, request: { headers } }: FlowCall): boolean {
  const length = headers['content-length'];
  return options.flowIdIn === 'body' && length !== undefined && Number(length) <= SMALL_BYTES;
}

/** Returns undefined if the parameter is absent. Anything but one text is an unknown flow. */
function flowIdIn(request: Request, options: FlowAccessOptions): string | undefined {
  const { flowIdIn = 'path', parameter = 'flowId' } = options;
  if (flowIdIn === 'body') return undefined;
  const value: unknown = (flowIdIn === 'path' ? request.params : request.query)[parameter];
  if (value === undefined || (flowIdIn === 'query' && value === '')) return undefined;
  return typeof value === 'string' ? value : '';
}
