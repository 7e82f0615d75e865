import type { Request } from 'express';
import type { ExecutionKind } from '../api/execution-terms.js';
import type { Caller, Outcome } from './execution.js';

/**
 * A call to prediction, capture or render from its arrival on. Guards and controllers add what they find (flow, chat,
 * checked key), for the record of a refused call. `call-log.middleware` creates and closes it.
 */
export interface ApiCall {
  /** Id of the call's record, sent as `X-Execution-Id`. */
  readonly executionId: string;
  readonly kind: ExecutionKind;
  /** Epoch ms; the time inside `executionId`. */
  readonly startedAt: number;
  caller: Caller;
  flowId?: string;
  flowName?: string;
  chatId?: string;
  question?: string;
  /** The execution whose stored answer was replayed to this call, and its status. */
  replays?: { executionId: string; status: Outcome['status'] };
  /** True once the call's record is durable: the middleware then writes none. */
  recorded: boolean;
  /** Pending while it is undecided if the call opens a record, even after its caller has left. */
  opening?: Promise<unknown>;
}

const calls = new WeakMap<object, ApiCall>();

/** Returns the recorded call of this request. */
export function apiCallOf(request: Request): ApiCall {
  const call = calls.get(request);
  if (!call) throw new Error(`${request.method} ${request.path} is not a recorded call`);
  return call;
}

export const findApiCall = (request: Request): ApiCall | undefined => calls.get(request);

export const setApiCall = (request: Request, call: ApiCall): void => void calls.set(request, call);
