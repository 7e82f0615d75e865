import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AppConfig } from '../common/app-config.js';
import { linkOrigin } from '../common/own-origin.js';
import { readJsonBody } from '../common/request-body.js';
import { type ApiCall, apiCallOf } from '../executions/api-call.js';
import { noteAsked } from '../executions/asked-texts.js';
import { fieldsFingerprint, idempotencyKeyOf, wantsReplayAlone } from '../executions/idempotency-key.js';
import { ReportDelivery } from './delivery/report-delivery.js';
import { RenderAccess } from './render-access.js';
import { type AcceptedRender, acceptanceOf, type NothingRendered } from './render-opening.js';
import { type RenderCaller, RenderRecords } from './render-records.js';
import { readRenderRequest, type RenderOrder } from './render-request.js';
import { RenderService } from './render.service.js';
import type { RenderAnswer } from './report-vault.js';
import type { SourceAccess } from './sources/report-source.js';
import { ReportSources } from './sources/report-sources.js';

/** What a call is answered, before it is known whether as JSON or as a PDF. */
export interface RenderReply {
  httpStatus: number;
  body: RenderAnswer | NothingRendered | AcceptedRender;
  replayed: boolean;
}

/** One call of `POST /pdf/render`, through its checks in their order (contract sections 2 and 6). */
@Injectable()
export class RenderCalls {
  constructor(
    private readonly config: AppConfig,
    private readonly sources: ReportSources,
    private readonly access: RenderAccess,
    private readonly delivery: ReportDelivery,
    private readonly records: RenderRecords,
    private readonly renders: RenderService,
  ) {}

  answer(request: Request): Promise<RenderReply> {
    const call = apiCallOf(request);
    const answered = this.answerCall(request, call);
    call.opening = answered;
    return answered;
  }

  private async answerCall(request: Request, call: ApiCall): Promise<RenderReply> {
    const body = (await readJsonBody(request, this.config.maxJsonBytes)) ?? {};
    noteAsked(call, body);
    const order = readRenderRequest(body);
    const { source } = order;
    const access = await this.sources.of(source.type).access(request, source);
    note(call, access);
    if (order.email) {
      const trusted = access.apiKeyId !== undefined || this.access.holdsAdminKey(request);
      this.delivery.check(order.email, trusted);
    }
    const replay = await this.replay(request, order, access, call);
    return replay ?? this.run(order, this.callerOf(request, call, access), call);
  }

  private async replay(
    request: Request,
    order: RenderOrder,
    { scope }: SourceAccess,
    call: ApiCall,
  ): Promise<RenderReply | undefined> {
    const key = idempotencyKeyOf(request);
    const replayAlone = wantsReplayAlone(request);
    if (key === undefined) return undefined;
    const { address, apiKeyId } = call.caller;
    const who = apiKeyId === undefined ? `address:${address}` : `key:${apiKeyId}`;
    const keyed = {
      scope: `render ${who} ${scope}`,
      key,
      fingerprint: fieldsFingerprint(order),
      executionId: call.executionId,
    };
    const kept = await this.records.replay(keyed, replayAlone);
    if (!kept) return undefined;
    call.replays = { executionId: kept.executionId, status: kept.status };
    return { httpStatus: kept.httpStatus, body: kept.body as RenderReply['body'], replayed: true };
  }

  private async run(order: RenderOrder, caller: RenderCaller, call: ApiCall): Promise<RenderReply> {
    // From here on the record is the render's: a caller who hangs up now is not a refused call.
    call.recorded = true;
    try {
      const started = await this.renders.start(order, caller);
      if ('nothing' in started) return { httpStatus: 200, body: started.nothing, replayed: false };
      const { claim, answer } = started;
      if (caller.respondAsync) return { httpStatus: 202, body: acceptanceOf(claim), replayed: false };
      return { httpStatus: 200, body: await answer, replayed: false };
    } catch (error) {
      call.recorded = await this.records.abandon(call.executionId, error);
      throw error;
    }
  }

  private callerOf(request: Request, call: ApiCall, access: SourceAccess): RenderCaller {
    const { executionId, startedAt, caller, chatId, flowId, flowName } = call;
    return {
      executionId,
      record: {
        id: executionId,
        kind: 'render',
        ...(flowId === undefined ? {} : { flowId }),
        ...(flowName === undefined ? {} : { flowName }),
        ...(chatId === undefined ? {} : { chatId }),
        caller,
        keyed: idempotencyKeyOf(request) !== undefined,
        credits: 0,
        startedAt,
      },
      flowIds: access.flows.map((flow) => flow.id),
      ...(access.refusal === undefined ? {} : { refusal: access.refusal }),
      origin: linkOrigin(request, this.config),
      respondAsync: prefersAsync(request),
      mayRead: async (flowIds) => (await this.access.refusalToRead(request, flowIds)) === undefined,
      mayHearOf: async (flowIds) => (await this.access.refusalOfPage(request, flowIds)) === undefined,
    };
  }
}

/** What the record says of the call: its flow when there is only one, and the key that was checked. */
function note(call: ApiCall, { flows, apiKeyId }: SourceAccess): void {
  const [flow] = flows;
  if (flow && flows.length === 1) {
    call.flowId = flow.id;
    call.flowName = flow.name;
  }
  if (apiKeyId !== undefined) call.caller = { ...call.caller, apiKeyId };
}

/** `Prefer: respond-async` (RFC 7240), among whatever else is preferred. */
function prefersAsync(request: Request): boolean {
  const header = request.headers['prefer'];
  const preferences = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',');
  return preferences.some((preference) => preference.split(';')[0]!.trim().toLowerCase() === 'respond-async');
}
