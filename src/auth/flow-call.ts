import type { Request } from 'express';
import { clientAddress } from '../common/http/client-address.js';
import type { Flow } from '../flows/definition/flow.js';

/** How a route asks for access, where it differs from the prediction route. */
export interface FlowAccessOptions {
  /**
   * Where the flow's id stands. In the `query` it may be missing: then only the address block is asked, and the
   * controller calls `FlowAccess.admit` once it has read the body. In the `body` it is the same; of a small body, which
   * costs less than the question, the block is asked by `admit` too.
   */
  flowIdIn?: 'path' | 'query' | 'body';
  /** Name of the path or query parameter; `flowId` unless said otherwise. */
  parameter?: string;
  /** False where a keyed flow asks no key (contract section 7). */
  key?: boolean;
  /** False where the list of allowed domains does not apply: on the hosted page itself. */
  domain?: boolean;
  /** True where the route *is* the share link, whatever header the call carries. */
  shareLink?: boolean;
  /** False where calls do not count toward the flow's rate limit. */
  rateLimit?: boolean;
  /** A client endpoint (contract section 7): an unknown id counts once per address and id, not with every call. */
  missCountsOnce?: boolean;
  /**
   * The member of a definition by which an open flow says that it is offered here: one that does not is an unknown flow
   * (contract section 12). A keyed flow is there for whoever holds its key.
   */
  offeredBy?: 'openai';
  /** True where the controller answers for a deleted flow too: the checks after the block pass, and leave no `flow`. */
  deletedToo?: boolean;
  /** True where the admin key passes: it is refused only for a flow that does not exist, which counts as no miss. */
  adminPasses?: boolean;
}

/** Whether the flow is there for routes with these options, whatever key the call carries. */
export const isThereFor = (
  { access, definition }: Pick<Flow, 'access' | 'definition'>,
  { offeredBy }: FlowAccessOptions,
): boolean => offeredBy === undefined || access.apiKeyId !== null || definition[offeredBy] === true;

/** The metadata key of the options of `RequiresFlowAccess()` on a handler. */
export const FLOW_ACCESS_OPTIONS = 'flow-access:options';

/** The facts that the checks have established; the call may go on. */
export interface GrantedAccess {
  readonly flow: Flow;
  /** The address that the caller counts under (`common/http/client-address`). */
  readonly address: string;
  /** The key that was checked; absent on an open flow, whatever `Authorization` says. */
  readonly apiKeyId?: string;
  /** The call came from the hosted chat page. */
  readonly viaShareLink: boolean;
  /** The call carries the admin key, and the route lets it pass. */
  readonly isAdmin: boolean;
}

/** One call on its way through the checks; each check notes what it found. */
export interface FlowCall {
  readonly request: Request;
  readonly options: FlowAccessOptions;
  readonly address: string;
  /** As the caller sent it; absent while it still stands in a body that was not read. */
  readonly flowId: string | undefined;
  /** Epoch milliseconds at which the call reached the service. */
  readonly arrivedAt: number;
  readonly viaShareLink: boolean;
  isAdmin: boolean;
  /** There is no such flow, and the route answers for deleted ones. */
  isFlowGone?: boolean;
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

/** The access that `@RequiresFlowAccess()` or `FlowAccess.admit` has granted to this request. */
export function flowAccessOf(request: Request): GrantedAccess {
  const call = calls.get(request);
  if (!call?.flow)
    throw new Error('no flow access was granted: the route lacks @RequiresFlowAccess() or admit()');
  return call as GrantedAccess;
}
