import type { Request } from 'express';
import type { ExecutionKind } from '../api/execution-terms.js';
import type { Caller, Outcome } from './execution.js';

/**
 * A call to prediction, capture or render from its arrival on. Guards and controllers write down what they learn
 * (flow, chat, checked key), so that a refused call's record says it; `call-log.middleware` makes it and closes it.
 */
export interface ApiCall {
  /** The id of the call's record and of its `X-Execution-Id`. */
  readonly executionId: string;
  readonly kind: ExecutionKind;
  /** Epoch ms; the time inside `executionId`. */
  readonly startedAt: number;
  caller: Caller;
  flowId?: string;
  flowName?: string;
  chatId?: string;
  question?: string;
  /** The execution whose kept answer this call was given, and its status. */
  replays?: { executionId: string; status: Outcome['status'] };
  /** Set once the transaction that opened the call's record was durable: the record exists, the middleware writes none. */
  recorded: boolean;
  /** While it is pending it is undecided whether the call gets a record of its own, even when its caller has left. */
  opening?: Promise<unknown>;
}

const calls = new WeakMap<object, ApiCall>();

/** The recorded call that this request is. */
export function apiCallOf(request: Request): ApiCall {
  const call = calls.get(request);
  if (!call) throw new Error(`${request.method} ${request.path} is not a recorded call`);
  return call;
}

export const findApiCall = (request: Request): ApiCall | undefined => calls.get(request);

export const keepApiCall = (request: Request, call: ApiCall): void => void calls.set(request, call);
