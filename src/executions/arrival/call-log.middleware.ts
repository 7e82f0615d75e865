import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Clock } from '../../common/clock.js';
import { clientAddress } from '../../common/http/client-address.js';
import { problemOf } from '../../common/http/problem.filter.js';
import { type ApiCall, type RequestTexts, setApiCall } from '../api-call.js';
import { newExecutionId } from '../execution-id.js';
import { ExecutionLog } from '../log/execution-log.js';
import { PresentedKeys } from '../log/presented-keys.js';
import { shortText } from '../log/recorded-value.js';
import type { UnopenedCall } from '../log/unopened-calls.js';
import { type RecordedCall, RecordedRoutes } from './recorded-routes.js';
import { RefusedTexts } from './refused-texts.js';

/**
 * Gives every call to a recorded route (`recorded-routes.ts`) its execution id at arrival and ensures that it has
 * exactly one record: a call without one at the end of its answer was refused or replayed, and is recorded here.
 */
@Injectable()
export class CallLogMiddleware {
  constructor(
    private readonly routes: RecordedRoutes,
    private readonly log: ExecutionLog,
    private readonly texts: RefusedTexts,
    private readonly presentedKeys: PresentedKeys,
    private readonly clock: Clock,
  ) {}

  /** Bound, because `app.setup` mounts it in front of everything that may refuse. */
  readonly use = (request: Request, response: Response, next: NextFunction): void => {
    const recorded = this.routes.callTo(request.url);
    if (recorded) {
      const call = this.arrive(request, recorded);
      setApiCall(request, call);
      response.setHeader('X-Execution-Id', call.executionId);
      this.recordAtEnd(request, response, call);
    }
    next();
  };

  private recordAtEnd(request: Request, response: Response, call: ApiCall): void {
    let texts: Later;
    let presentedKey: Later;
    let over = false;
    const refuse = () => {
      if (call.recorded || isOtherMethod()) return;
      this.refuse(unopened(call, response, this.clock.now()), [presentedKey, texts]);
    };
    // A GET counts as a call only if it is refused as one; the router answers OPTIONS.
    const isOtherMethod = () => request.method !== 'POST' && !problemOf(response);
    const end = () => {
      if (over) return;
      over = true;
      if (call.opening) call.opening.then(refuse, refuse);
      else refuse();
    };
    response.once('prefinish', () => {
      const problem = problemOf(response);
      if (!problem || call.recorded) return;
      texts = this.texts.read(request, call.caller.address, problem);
      presentedKey = this.presentedKeys
        .find(request, problem.status)
        .then((key) => key && { presentedKey: key });
    });
    response.once('finish', end);
    response.once('close', end);
  }

  /** Records the refusal at once, and again with whatever is found later. */
  private refuse(refused: UnopenedCall, later: readonly Later[]): void {
    this.log.refuse(refused);
    let known = refused;
    for (const part of later) {
      void part?.then((found) => {
        if (!found || Object.keys(found).length === 0) return;
        known = { ...found, ...known };
        this.log.refuse(known);
      });
    }
  }

  private arrive(request: Request, { kind, flowId }: RecordedCall): ApiCall {
    const startedAt = this.clock.now();
    const { origin } = request.headers;
    return {
      executionId: newExecutionId(startedAt),
      kind,
      startedAt,
      caller: {
        address: clientAddress(request),
        ...(origin === undefined ? {} : { origin: shortText(origin, 200)! }),
      },
      ...(flowId === undefined ? {} : { flowId }),
      recorded: false,
    };
  }
}

/** A part of the record that is read after the answer. */
type Later = Promise<RequestTexts | Pick<UnopenedCall, 'presentedKey'> | undefined> | undefined;

function unopened(call: ApiCall, response: Response, finishedAt: number): UnopenedCall {
  const { executionId, kind, caller, startedAt, flowId, flowName, flowVersion, account, chatId, question } =
    call;
  return {
    id: executionId,
    kind,
    caller,
    startedAt,
    finishedAt,
    ...endOf(call, response),
    ...(flowId === undefined ? {} : { flowId }),
    ...(flowName === undefined ? {} : { flowName }),
    ...(flowVersion === undefined ? {} : { flowVersion }),
    ...(account === undefined ? {} : { account }),
    ...(chatId === undefined ? {} : { chatId }),
    ...(question === undefined ? {} : { question }),
    ...(call.replays === undefined ? {} : { replayOf: call.replays.executionId }),
  };
}

/** Returns the end of the call; a replay has the outcome of the replayed call. */
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
