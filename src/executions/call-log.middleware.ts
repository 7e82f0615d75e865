import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { clientAddress } from '../common/client-address.js';
import { Clock } from '../common/clock.js';
import { storableText } from '../common/json-text.js';
import { problemOf } from '../common/problem.filter.js';
import { type ApiCall, keepApiCall } from './api-call.js';
import type { AskedTexts } from './asked-texts.js';
import type { ExecutionKind } from './execution.js';
import { newExecutionId } from './execution-id.js';
import { ExecutionLog } from './execution-log.js';
import { RefusedTexts } from './refused-texts.js';
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
    private readonly texts: RefusedTexts,
    private readonly clock: Clock,
  ) {}

  /** Bound: `app.setup` mounts it in front of everything that may refuse. */
  readonly use = (request: Request, response: Response, next: NextFunction): void => {
    const route = recordedRoute(request.originalUrl);
    if (route) {
      const call = this.arrive(request, route);
      keepApiCall(request, call);
      response.setHeader('X-Execution-Id', call.executionId);
      this.recordAtEnd(request, response, call);
    }
    next();
  };

  private recordAtEnd(request: Request, response: Response, call: ApiCall): void {
    let texts: Promise<AskedTexts | undefined> | undefined;
    let over = false;
    const refuse = () => {
      if (call.recorded || isOtherMethod()) return;
      this.refuse(unopened(call, response, this.clock.now()), texts);
    };
    // A GET is a call only where it is refused as one; the router itself answers OPTIONS.
    const isOtherMethod = () => request.method !== 'POST' && !problemOf(response);
    const end = () => {
      if (over) return;
      over = true;
      if (call.opening) call.opening.then(refuse, refuse);
      else refuse();
    };
    response.once('prefinish', () => {
      const problem = problemOf(response);
      if (problem && !call.recorded) texts = this.texts.of(request, call.caller.address, problem);
    });
    response.once('finish', end);
    response.once('close', end);
  }

  /** At once, and again when the body has told more. */
  private refuse(refused: UnopenedCall, texts: Promise<AskedTexts | undefined> | undefined): void {
    this.log.refuse(refused);
    void texts?.then((asked) => {
      if (asked && Object.keys(asked).length > 0) this.log.refuse({ ...asked, ...refused });
    });
  }

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

const MOST_ID = 256;

interface RecordedRoute {
  kind: ExecutionKind;
  flowId?: string;
}

/** From the raw address, because an address that cannot be decoded is a call to an unknown flow too. */
export function recordedRoute(url: string): RecordedRoute | undefined {
  const [path = '', query = ''] = url.split('?', 2);
  const [blank, api, version, room, second, third, ...rest] = path.split('/', 8);
  if (blank !== '' || api?.toLowerCase() !== 'api' || version?.toLowerCase() !== 'v1') return undefined;
  if (rest.length > 1 || (rest[0] ?? '') !== '' || !second) return undefined;
  switch (`${room?.toLowerCase()}/${third?.toLowerCase() ?? ''}`) {
    case 'prediction/':
      return { kind: 'prediction', flowId: decoded(second) };
    case 'flows/run':
      return { kind: 'prediction', flowId: decoded(second) };
    case 'inspection/':
      return second.toLowerCase() === 'capture' ? { kind: 'capture', ...flowInQuery(query) } : undefined;
    case 'pdf/':
      return second.toLowerCase() === 'render' ? { kind: 'render' } : undefined;
    default:
      return undefined;
  }
}

function flowInQuery(query: string): { flowId?: string } {
  const flowId = new URLSearchParams(query).get('flowId') ?? '';
  return flowId === '' ? {} : { flowId: storableText(flowId).slice(0, MOST_ID) };
}

function decoded(segment: string): string {
  try {
    return storableText(decodeURIComponent(segment)).slice(0, MOST_ID);
  } catch {
    return segment.slice(0, MOST_ID);
  }
}

function unopened(call: ApiCall, response: Response, finishedAt: number): UnopenedCall {
  const { executionId, kind, caller, startedAt, flowId, flowName, chatId, question, replays } = call;
  return {
    id: executionId,
    kind,
    caller,
    startedAt,
    finishedAt,
    ...endOf(call, response),
    ...(flowId === undefined ? {} : { flowId }),
    ...(flowName === undefined ? {} : { flowName }),
    ...(chatId === undefined ? {} : { chatId }),
    ...(question === undefined ? {} : { question }),
    ...(replays === undefined ? {} : { replayOf: replays.executionId }),
  };
}

/** A replay stands as the call does whose answer it was given. */
function endOf(
  { replays }: ApiCall,
  response: Response,
): Pick<UnopenedCall, 'status' | 'httpStatus' | 'code' | 'error'> {
  const problem = problemOf(response);
  if (problem) {
    return {
      status: replays?.status ?? 'rejected',
      httpStatus: problem.status,
      code: problem.code,
      error: problem.detail,
    };
  }
  if (!response.headersSent) return { status: 'rejected', httpStatus: null, code: 'caller_gone' };
  const httpStatus = response.statusCode;
  if (httpStatus < 400) return { status: replays?.status ?? 'succeeded', httpStatus };
  return { status: 'rejected', httpStatus };
}
