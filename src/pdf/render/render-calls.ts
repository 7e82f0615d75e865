import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { AcceptedRenderView, NothingRendered, RenderedReport } from '../../api/reports.js';
import { ApiKeys } from '../../auth/api-keys/api-keys.js';
import { AppConfig } from '../../common/app-config.js';
import { readJsonBody } from '../../common/bodies/request-body.js';
import { linkOrigin } from '../../common/http/own-origin.js';
import { prefersAsync } from '../../common/http/prefers-async.js';
import { type ApiCall, apiCallOf, noteFlow, noteRequestTexts } from '../../executions/api-call.js';
import type { CallContext } from '../../executions/calls/call-context.js';
import { callKeyOf, fieldsFingerprint } from '../../executions/calls/call-key.js';
import { CallLifecycle } from '../../executions/calls/call-lifecycle.js';
import type { Claim } from '../../inspection/claims/claim.js';
import { ReportDelivery } from '../delivery/report-delivery.js';
import { OF_A_CLAIM } from '../drawing/report-contents.js';
import { EditionSource } from '../sources/edition-source.js';
import type { SourceAccess } from '../sources/report-source.js';
import { SourceFinder } from '../sources/source-finder.js';
import { ReportAccess } from '../vault/report-access.js';
import { readEditionRequest } from './edition-request.js';
import { touchedBy } from './render-closing.js';
import { readRenderRequest, type RenderCaller, type RenderOrder } from './render-request.js';
import { acceptanceOf, RenderService } from './render.service.js';

/** The answer to a call, to be sent as JSON or as a PDF. */
export interface RenderReply {
  httpStatus: number;
  body: RenderedReport | NothingRendered | AcceptedRenderView;
  replayed: boolean;
}

/** Reads a call's body, which `body` returns, and finds what its caller may use. */
type Reading = (body: () => Promise<unknown>) => Promise<{ order: RenderOrder; access: SourceAccess }>;

type CallingCaller = RenderCaller & { context: CallContext };

/** One call of `POST /pdf/render`, through its checks in their order (contract sections 2 and 6). */
@Injectable()
export class RenderCalls {
  constructor(
    private readonly config: AppConfig,
    private readonly sources: SourceFinder,
    private readonly editions: EditionSource,
    private readonly apiKeys: ApiKeys,
    private readonly access: ReportAccess,
    private readonly delivery: ReportDelivery,
    private readonly lifecycle: CallLifecycle,
    private readonly renders: RenderService,
  ) {}

  answer(request: Request): Promise<RenderReply> {
    return this.answerCall(request, async (body) => {
      const order = readRenderRequest(await body());
      return { order, access: await this.sources.find(order).access(request, order) };
    });
  }

  /** Answers a call for the next edition of a report. Access is checked before the body is read. */
  answerEdition(request: Request, reportId: string): Promise<RenderReply> {
    return this.answerCall(request, async (body) => {
      const access = await this.editions.access(request, reportId);
      const { email, maxBytes: given, ...edition } = readEditionRequest(await body());
      const maxBytes = given === undefined ? await this.editions.maxBytesOf(reportId) : given;
      const { apiKeyId } = access;
      const by = apiKeyId === undefined ? 'admin' : ((await this.apiKeys.findName(apiKeyId)) ?? 'admin');
      const who = apiKeyId === undefined ? 'admin' : `key:${apiKeyId}`;
      return {
        order: {
          source: OF_A_CLAIM,
          ...(email ? { email } : {}),
          ...(maxBytes === null ? {} : { maxBytes }),
          edition: { ...edition, reportId, by, who },
        },
        access,
      };
    });
  }

  private answerCall(request: Request, read: Reading): Promise<RenderReply> {
    const call = apiCallOf(request);
    const answered = this.answerRead(request, call, read);
    call.opening = answered;
    return answered;
  }

  private async answerRead(request: Request, call: ApiCall, read: Reading): Promise<RenderReply> {
    const { order, access } = await read(async () => {
      const body = (await readJsonBody(request, this.config.maxJsonBytes)) ?? {};
      noteRequestTexts(call, body);
      return body;
    });
    note(call, access);
    if (order.email) {
      const trusted = access.apiKeyId !== undefined || this.access.holdsAdminKey(request);
      this.delivery.check(order.email, trusted);
    }
    const key = callKeyOf(request, call, {
      place: access.scope,
      fingerprint: () => fieldsFingerprint(order),
    });
    const begun = await this.lifecycle.begin(call, key);
    if ('context' in begun) return this.run(order, this.callerOf(request, begun.context, access, order));
    return {
      httpStatus: begun.replay.httpStatus,
      body: begun.replay.body as RenderReply['body'],
      replayed: true,
    };
  }

  /** Runs the render. For a caller who does not wait, the call lives longer than its answer. */
  private async run(order: RenderOrder, caller: CallingCaller): Promise<RenderReply> {
    const { context } = caller;
    const over = () => this.lifecycle.over(context);
    let claim: Claim | undefined;
    try {
      const started = await this.renders.start(order, caller);
      const ended = 'nothing' in started ? Promise.resolve() : started.answer;
      void ended.then(over, over);
      if ('nothing' in started) return { httpStatus: 200, body: started.nothing, replayed: false };
      claim = started.claim;
      if (caller.respondAsync) return { httpStatus: 202, body: acceptanceOf(claim), replayed: false };
      return { httpStatus: 200, body: await started.answer, replayed: false };
    } catch (error) {
      over();
      // If the record has not ended with its claim, it ends here and the claim is released.
      throw await this.lifecycle.fail(context, error, claim && touchedBy(claim, caller));
    }
  }

  private callerOf(
    request: Request,
    context: CallContext,
    access: SourceAccess,
    { preview }: RenderOrder,
  ): CallingCaller {
    return {
      executionId: context.executionId,
      context,
      signal: context.signal,
      flowIds: access.flows.map((flow) => flow.id),
      ...(access.detailsOf === undefined ? {} : { detailsOf: access.detailsOf }),
      ...(access.refusal === undefined ? {} : { refusal: access.refusal }),
      origin: linkOrigin(request, this.config),
      // A preview has no stored claim whose id could be polled.
      respondAsync: !preview && prefersAsync(request),
      mayRead: async (flowIds) => (await this.access.refusalToRead(request, flowIds)) === undefined,
      mayHearOf: async (flowIds) => (await this.access.refusalOfPage(request, flowIds)) === undefined,
    };
  }
}

/** Notes the checked key in the call's record, and the flow if there is only one. */
function note(call: ApiCall, { flows, apiKeyId }: SourceAccess): void {
  const [flow] = flows;
  if (flow && flows.length === 1) noteFlow(call, flow);
  if (apiKeyId !== undefined) call.caller = { ...call.caller, apiKeyId };
}
