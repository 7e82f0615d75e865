import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { clientAddress } from '../common/client-address.js';
import { Clock } from '../common/clock.js';
import { storableText } from '../common/json-text.js';
import { problemOf } from '../common/problem.filter.js';
import { type ApiCall, keepApiCall } from './api-call.js';
import type { ExecutionKind } from './execution.js';
import { newExecutionId } from './execution-id.js';
import { ExecutionLog } from './execution-log.js';
import { shortText } from './recorded-value.js';
import type { UnopenedCall } from './unopened-calls.js';

/**
 * Gives every call to prediction, capture and render (and a run from the console) its execution id at arrival, and
 * sees to it that each has exactly one record: whoever opened none by the end of the answer was refused or replayed.
 */
@Injectable()
export class CallLogMiddleware {
  constructor(
    private readonly log: ExecutionLog,
    private readonly clock: Clock,
  ) {}

  /** Bound: `app.setup` mounts it in front of everything that may refuse. */
  readonly use = (request: Request, response: Response, next: NextFunction): void => {
    const route = request.method === 'POST' ? recordedRoute(request.originalUrl) : undefined;
    if (route) {
      const call = this.arrive(request, route);
      keepApiCall(request, call);
      response.setHeader('X-Execution-Id', call.executionId);
      let over = false;
      const refuse = () => {
        if (!call.recorded) this.log.refuse(unopened(call, response, this.clock.now()));
      };
      const end = () => {
        if (over) return;
        over = true;
        if (call.opening) call.opening.then(refuse, refuse);
        else refuse();
      };
      response.once('finish', end);
      response.once('close', end);
    }
    next();
  };

  private arrive(request: Request, route: RecordedRoute): ApiCall {
    const startedAt = this.clock.now();
    const origin = shortText(request.headers.origin, 200);
    return {
      executionId: newExecutionId(startedAt),
      kind: route.kind,
      startedAt,
      caller: { address: clientAddress(request), ...(origin === null ? {} : { origin }) },
      ...(route.flowId === undefined ? {} : { flowId: route.flowId }),
      recorded: false,
    };
  }
}

interface RecordedRoute {
  kind: ExecutionKind;
  flowId?: string;
}

/** From the raw address, because an address that cannot be decoded is a call to an unknown flow too. */
export function recordedRoute(url: string): RecordedRoute | undefined {
  const path = url.split('?', 1)[0]!;
  const [blank, api, version, room, second, third, ...rest] = path.split('/', 8);
  if (blank !== '' || api?.toLowerCase() !== 'api' || version?.toLowerCase() !== 'v1') return undefined;
  if (rest.length > 1 || (rest[0] ?? '') !== '' || !second) return undefined;
  switch (`${room?.toLowerCase()}/${third?.toLowerCase() ?? ''}`) {
    case 'prediction/':
      return { kind: 'prediction', flowId: decoded(second) };
    case 'flows/run':
      return { kind: 'prediction', flowId: decoded(second) };
    case 'inspection/':
      return second.toLowerCase() === 'capture' ? { kind: 'capture' } : undefined;
    case 'pdf/':
      return second.toLowerCase() === 'render' ? { kind: 'render' } : undefined;
    default:
      return undefined;
  }
}

function decoded(segment: string): string {
  try {
    return storableText(decodeURIComponent(segment)).slice(0, 256);
  } catch {
    return segment.slice(0, 256);
  }
}

function unopened(call: ApiCall, response: Response, finishedAt: number): UnopenedCall {
  const { executionId, kind, caller, startedAt, flowId, flowName, chatId, question, replayOf } = call;
  return {
    id: executionId,
    kind,
    caller,
    startedAt,
    finishedAt,
    ...endOf(response),
    ...(flowId === undefined ? {} : { flowId }),
    ...(flowName === undefined ? {} : { flowName }),
    ...(chatId === undefined ? {} : { chatId }),
    ...(question === undefined ? {} : { question }),
    ...(replayOf === undefined ? {} : { replayOf }),
  };
}

function endOf(response: Response): Pick<UnopenedCall, 'status' | 'httpStatus' | 'code' | 'error'> {
  const problem = problemOf(response);
  if (problem) {
    return {
      status: 'rejected',
      httpStatus: problem.status,
      code: problem.code,
      error: problem.detail,
    };
  }
  if (!response.headersSent) return { status: 'rejected', httpStatus: null, code: 'caller_gone' };
  const httpStatus = response.statusCode;
  if (httpStatus < 400) return { status: 'succeeded', httpStatus };
  return { status: 'rejected', httpStatus };
}
