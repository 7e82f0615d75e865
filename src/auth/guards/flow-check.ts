import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { type FlowCall, flowCallOf } from '../flow-access.js';

/**
 * One check in front of a flow: a guard on the routes that name their flow, and asked one after the other by
 * `FlowDoor` where the flow is named in the body. `AddressBlockGuard` always comes first: it opens the call.
 */
export abstract class FlowCheck implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const call = flowCallOf(context.switchToHttp().getRequest<Request>());
    if (!call) throw new Error('the address block must be asked before any other check');
    await this.check(call);
    return true;
  }

  /** Throws the refusal; notes on the call what later checks and the controller need. */
  abstract check(call: FlowCall): Promise<void>;
}
