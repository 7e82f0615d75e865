import type { Request } from 'express';
import type { ExecutionKind } from '../api/execution-terms.js';
import type { FlowVersionName } from '../api/flow-terms.js';
import { parseJson } from '../common/json/json-text.js';
import { decimalText } from '../common/texts/identifier.js';
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
  flowVersion?: FlowVersionName;
  /** Account of the flow. */
  account?: string;
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

/** Notes the flow in the call's record. */
export const noteFlow = (
  call: ApiCall,
  flow: { id: string; name: string; account: string; version: FlowVersionName },
): void =>
  void Object.assign(call, {
    flowId: flow.id,
    flowName: flow.name,
    flowVersion: flow.version,
    account: flow.account,
  });

export const findApiCall = (request: Request): ApiCall | undefined => calls.get(request);

export const setApiCall = (request: Request, call: ApiCall): void => void calls.set(request, call);

/** Texts of a request for the record of a refused call. */
export interface RequestTexts {
  flowId?: string;
  chatId?: string;
  question?: string;
}

const MOST_ID = 256;

/** Reads an unchecked body of a prediction, a capture or a render. */
export function readRequestTexts(body: unknown): RequestTexts {
  const source = membersOf(membersOf(body).source);
  const { flowId, chatId, sessionId, question, remark, overrideConfig } = membersOf(body);
  const chat = [chatId, sessionId, membersOf(parsed(overrideConfig)).sessionId, source.sessionId]
    .map(decimalText)
    .find(isText);
  const flow = [flowId, source.flowId].find(isText);
  const text = [question, remark].find(isText);
  return {
    ...(flow === undefined ? {} : { flowId: flow.slice(0, MOST_ID) }),
    ...(chat === undefined ? {} : { chatId: chat.slice(0, MOST_ID) }),
    ...(text === undefined ? {} : { question: text }),
  };
}

/** Copies the texts to the call, unless better ones are known. */
export function noteRequestTexts(call: ApiCall, body: unknown): void {
  Object.assign(call, { ...readRequestTexts(body), ...known(call) });
}

const known = ({ flowId, chatId, question }: ApiCall): RequestTexts => ({
  ...(flowId === undefined ? {} : { flowId }),
  ...(chatId === undefined ? {} : { chatId }),
  ...(question === undefined ? {} : { question }),
});

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Parses a form field, which carries an object as JSON text. */
function parsed(member: unknown): unknown {
  if (typeof member !== 'string') return member;
  try {
    return parseJson(member);
  } catch {
    return undefined;
  }
}

const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
