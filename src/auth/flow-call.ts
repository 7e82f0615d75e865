import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { clientAddress } from '../common/http/client-address.js';
import type { Flow } from '../flows/definition/flow.js';

/** Options of a route's access checks, where they differ from the prediction route. */
export interface FlowAccessOptions {
  /**
   * Place of the flow's id. With `query`, the id may be missing: then only the address block is checked, and the
   * controller calls `FlowAccess.admit` once it has read the body. With `body`, the same holds, and for a small body
   * `admit` checks the address block too.
   */
  flowIdIn?: 'path' | 'query' | 'body';
  /** Name of the path or query parameter; `flowId` by default. */
  parameter?: string;
  /** False if a keyed flow needs no key here (contract section 7). */
  key?: boolean;
  /** False if the list of allowed domains does not apply: on the hosted page itself. */
  domain?: boolean;
  /** True if the route is the share link itself, whatever headers the call carries. */
  shareLink?: boolean;
  /** False if calls do not count toward the flow's rate limit. */
  rateLimit?: boolean;
  /** True for client endpoints (contract section 7): an unknown id counts once per address and id. */
  missCountsOnce?: boolean;
  /**
   * Member of a definition that offers an open flow here; without it the flow counts as unknown (contract section 12).
   * A keyed flow needs only its key.
   */
  offeredBy?: 'openai';
  /** True if the controller answers for deleted flows too: the checks then pass and set no `flow`. */
  deletedToo?: boolean;
  /**
   * True if the route also serves a flow that is switched off. With `answers` it then takes only answers to questions of
   * waiting runs, and the controller reads the body through `FlowAccess.admitAnswer`.
   */
  disabledToo?: true | 'answers';
  /** True if the admin key passes. It is refused only for a flow that does not exist, which counts as no miss. */
  adminPasses?: boolean;
}

/** Returns true if routes with these options offer the flow. */
export const isThereFor = (
  { access, definition }: Pick<Flow, 'access' | 'definition'>,
  { offeredBy }: FlowAccessOptions,
): boolean => offeredBy === undefined || access.apiKeyId !== null || definition[offeredBy] === true;

/** Metadata key of the options of `RequiresFlowAccess()` on a handler. */
export const FLOW_ACCESS_OPTIONS = 'flow-access:options';

/** The result of the checks: the call may proceed. */
export interface GrantedAccess {
  readonly flow: Flow;
  /** The caller's address (`common/http/client-address`). */
  readonly address: string;
  /** The key that was checked; absent on an open flow. */
  readonly apiKeyId?: string;
  /** The call came from the hosted chat page. */
  readonly viaShareLink: boolean;
  /** The call carries the admin key, and the route lets it pass. */
  readonly isAdmin: boolean;
}

/** A call during its checks. Each check adds its result. */
export interface FlowCall {
  readonly request: Request;
  readonly options: FlowAccessOptions;
  readonly address: string;
  /** The id in the request; absent while it is in a body that was not read. */
  readonly flowId: string | undefined;
  /** Epoch milliseconds at which the call reached the service. */
  readonly arrivedAt: number;
  readonly viaShareLink: boolean;
  isAdmin: boolean;
  /** True if there is no such flow and the route answers for deleted ones. */
  isFlowGone?: boolean;
  /** True if the flow is switched off and only an answer to a question is admitted; the rate limit is not counted yet. */
  onlyAnswers?: boolean;
  flow?: Flow;
  apiKeyId?: string;
}

const calls = new WeakMap<Request, FlowCall>();

export function openFlowCall(
  request: Request,
  flowId: string | undefined,
  options: FlowAccessOptions,
  arrivedAt: number,
): FlowCall {
  const call: FlowCall = {
    request,
    options,
    address: clientAddress(request),
    flowId,
    arrivedAt,
    viaShareLink: options.shareLink === true || request.headers['x-share-link'] === 'true',
    isAdmin: false,
  };
  calls.set(request, call);
  return call;
}

export const flowCallOf = (request: Request): FlowCall | undefined => calls.get(request);

/** Returns the access that `@RequiresFlowAccess()` or `FlowAccess.admit` has granted to this request. */
export function flowAccessOf(request: Request): GrantedAccess {
  const call = calls.get(request);
  if (!call?.flow)
    throw new Error('no flow access was granted: the route lacks @RequiresFlowAccess() or admit()');
  return call as GrantedAccess;
}

/**
 * A check in front of a flow: a guard on routes that name their flow, and run in order by `FlowAccess` if the flow is
 * named in the body. `AddressBlockGuard` comes first, because it opens the call.
 */
export abstract class FlowCheck implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const call = flowCallOf(context.switchToHttp().getRequest<Request>());
    if (!call) throw new Error('the address block must be asked before any other check');
    if (call.isFlowGone) return true;
    await this.run(call);
    return true;
  }

  /** Runs the check that the caller is subject to. */
  run(call: FlowCall): Promise<void> {
    return call.isAdmin ? this.checkForAdmin(call) : this.check(call);
  }

  /** Throws the refusal. Adds the results that later checks and the controller need to the call. */
  abstract check(call: FlowCall): Promise<void>;

  /** Checks a call with the admin key, on routes that let it pass: refuses only a flow that does not exist. */
  protected checkForAdmin(_call: FlowCall): Promise<void> {
    return Promise.resolve();
  }
}
