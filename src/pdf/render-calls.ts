import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AppConfig } from '../common/app-config.js';
import { linkOrigin } from '../common/own-origin.js';
import { prefersAsync } from '../common/prefers-async.js';
import { readJsonBody } from '../common/request-body.js';
import { type ApiCall, apiCallOf } from '../executions/api-call.js';
import { noteAsked } from '../executions/asked-texts.js';
import { callKeyOf } from '../executions/calls/call-key.js';
import type { CallLife } from '../executions/calls/call-life.js';
import { CallLives } from '../executions/calls/call-lives.js';
import { fieldsFingerprint } from '../executions/idempotency-key.js';
import { ReportDelivery } from './delivery/report-delivery.js';
import { RenderAccess } from './render-access.js';
import { type AcceptedRender, acceptanceOf, type NothingRendered } from './render-opening.js';
import type { RenderCaller } from './render-records.js';
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

type CallingCaller = RenderCaller & { life: CallLife };

/** One call of `POST /pdf/render`, through its checks in their order (contract sections 2 and 6). */
@Injectable()
export class RenderCalls {
  constructor(
    private readonly config: AppConfig,
    private readonly sources: ReportSources,
    private readonly access: RenderAccess,
    private readonly delivery: ReportDelivery,
    private readonly lives: CallLives,
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
    const key = callKeyOf(request, call, {
      place: access.scope,
      fingerprint: () => fieldsFingerprint(order),
    });
    const begun = await this.lives.begin(call, key);
    if ('life' in begun) return this.run(order, this.callerOf(request, begun.life, access));
    return {
      httpStatus: begun.kept.httpStatus,
      body: begun.kept.body as RenderReply['body'],
      replayed: true,
    };
  }

  /** Of a caller who does not wait the life goes on when it was answered. */
  private async run(order: RenderOrder, caller: CallingCaller): Promise<RenderReply> {
    const { life } = caller;
    const over = () => this.lives.over(life);
    try {
      const started = await this.renders.start(order, caller);
      const ended = 'nothing' in started ? Promise.resolve() : started.answer;
      void ended.then(over, over);
      if ('nothing' in started) return { httpStatus: 200, body: started.nothing, replayed: false };
      if (caller.respondAsync) return { httpStatus: 202, body: acceptanceOf(started.claim), replayed: false };
      return { httpStatus: 200, body: await started.answer, replayed: false };
    } catch (error) {
      over();
      throw await this.lives.fail(life, error);
    }
  }

  private callerOf(request: Request, life: CallLife, access: SourceAccess): CallingCaller {
    return {
      executionId: life.executionId,
      life,
      signal: life.signal,
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
