import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { type FlowCall, flowCallOf } from '../flow-call.js';

/**
 * A check in front of a flow: a guard on routes that name their flow, and run in order by `FlowAccess` if the flow is
 * named in the body. `AddressBlockGuard` comes first, because it opens the call.
 */
export abstract class FlowCheck implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const call = flowCallOf(context.switchToHttp().getRequest<Request>());
    if (!call) throw new Error('the address block must be asked before any other check');
    if (call.isFlowGone) return true;
    await (call.isAdmin ? this.checkForAdmin(call) : this.check(call));
    return true;
  }

  /** Throws the refusal. Adds the results that later checks and the controller need to the call. */
  abstract check(call: FlowCall): Promise<void>;

  /** Checks a call with the admin key, on routes that let it pass: refuses only a flow that does not exist. */
  protected checkForAdmin(_call: FlowCall): Promise<void> {
    return Promise.resolve();
  }
}
