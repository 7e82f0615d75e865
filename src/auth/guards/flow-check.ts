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
    await (call.isAdmin ? this.checkForAdmin(call) : this.check(call));
    return true;
  }

  /** Throws the refusal; notes on the call what later checks and the controller need. */
  abstract check(call: FlowCall): Promise<void>;

  /** Where the route lets the holder of the admin key pass, nothing refuses it but that there is no such flow. */
  protected checkForAdmin(_call: FlowCall): Promise<void> {
    return Promise.resolve();
  }
}
