import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { z } from 'zod';
import { InvalidApiKey } from '../../auth/guards/api-key.guard.js';
import { FlowDoor } from '../../auth/guards/flow-door.js';
import { isItsOwnKey } from '../../auth/own-session.js';
import { checked } from '../../common/bodies/valid-body.decorator.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { bearerToken, sameSecret } from '../../common/secrets/constant-time.js';
import { FlowNotFound, InvalidRequest, NotFound, type ServiceError } from '../../common/service-error.js';
import { identifier } from '../../common/texts/identifier.js';
import type { Flow } from '../../flows/definition/flow.js';
import { FlowStore } from '../../flows/store/flow-store.js';
import { InspectionSessions } from './inspection-sessions.js';

/** One session of one flow. */
export interface SessionAddress {
  flowId: string;
  sessionId: string;
}

/** A session that the caller may read and change, and as whom. */
export interface OwnSession extends SessionAddress {
  isAdmin: boolean;
  /** The flow's key that was checked; absent for the admin key and on an open flow. */
  apiKeyId?: string;
}

const CLIENT_ROUTE = { rateLimit: false, missCountsOnce: true };

/**
 * "Who may" of contract section 5: the holder of the admin key or of the flow's key; on an open flow whoever knows a
 * session id that is a version 4 UUID, which is the key to its own session alone. A page must be one that the flow's list
 * lets in. Everything here is decided before a body is read.
 */
@Injectable()
export class OwnSessions {
  constructor(
    private readonly door: FlowDoor,
    private readonly adminGuard: AdminGuard,
    private readonly flows: FlowStore,
    private readonly sessions: InspectionSessions,
  ) {}

  /**
   * The session of this id in the flow named, whether anything was recorded in it or not; without a name in the one flow
   * of the caller's that has it. 400 where several have it, 401, 403, 404 where none has it or there is no such flow,
   * which is a strike, and 429 for a blocked address.
   */
  async session(request: Request, id: string, flowId?: string): Promise<OwnSession> {
    const isAdmin = this.adminGuard.holdsAdminKey(request);
    if (flowId === undefined) {
      if (!isAdmin) await this.door.checkAddress(request);
      const { sessionId } = checked(named, { sessionId: id });
      return { ...(await this.only(request, sessionId, isAdmin)), sessionId, isAdmin };
    }
    const access = isAdmin ? undefined : await this.door.admit(request, flowId, CLIENT_ROUTE);
    const { sessionId } = checked(named, { sessionId: id });
    const place = { flowId, sessionId, isAdmin };
    if (access?.apiKeyId !== undefined) return { ...place, apiKeyId: access.apiKeyId };
    if (isAdmin && !(await this.knows(flowId, sessionId))) throw new FlowNotFound();
    if (!isAdmin && !isItsOwnKey(sessionId)) throw new InvalidApiKey(request);
    return place;
  }

  /**
   * The same of a photograph, remark or fact: `place` is its session, undefined where there is none of its id. The id of a
   * record opens nothing: on an open flow the session's id is sent with it, as `?sessionId=` or as the bearer token. Only
   * the holder of the admin key is told that a record is missing.
   */
  async record(request: Request, place: SessionAddress | undefined, what: string): Promise<OwnSession> {
    if (this.adminGuard.holdsAdminKey(request)) {
      if (!place) throw new NotFound(what);
      return { ...place, isAdmin: true };
    }
    await this.door.checkAddress(request);
    const flow = place && (await this.flows.find(place.flowId));
    if (!place || !flow) throw new InvalidApiKey(request);
    const refusal = await this.refusal(request, flow, isPresented(request, place.sessionId));
    if (refusal) throw refusal;
    return { ...place, isAdmin: false, ...keyOf(flow) };
  }

  private async only(
    request: Request,
    sessionId: string,
    isAdmin: boolean,
  ): Promise<Pick<OwnSession, 'flowId' | 'apiKeyId'>> {
    const opened: Pick<OwnSession, 'flowId' | 'apiKeyId'>[] = [];
    let refusal: ServiceError | undefined;
    for (const flowId of await this.sessions.flowsOf(sessionId)) {
      const flow = isAdmin ? undefined : await this.flows.find(flowId);
      const found = isAdmin ? undefined : await this.refusal(request, flow, isItsOwnKey(sessionId));
      if (!found) opened.push({ flowId, ...keyOf(flow) });
      else if (refusal?.status !== 403) refusal = found;
    }
    if (opened.length > 1) throw severalFlows();
    if (opened[0]) return opened[0];
    if (refusal) throw refusal;
    if (isAdmin || isItsOwnKey(sessionId)) throw new NotFound('This inspection session');
    throw new InvalidApiKey(request);
  }

  private async refusal(
    request: Request,
    flow: Flow | undefined,
    isOwn: boolean,
  ): Promise<ServiceError | undefined> {
    if (!flow || (flow.access.apiKeyId === null && !isOwn)) return new InvalidApiKey(request);
    return this.door.refusalToUse(request, flow);
  }

  /** An inspection outlives its flow. */
  private async knows(flowId: string, sessionId: string): Promise<boolean> {
    return (
      (await this.flows.find(flowId)) !== undefined ||
      (await this.sessions.flowsOf(sessionId)).includes(flowId)
    );
  }
}

const named = z.object({ sessionId: identifier });

const keyOf = (flow: Flow | undefined): { apiKeyId?: string } => {
  const apiKeyId = flow?.access.apiKeyId ?? null;
  return apiKeyId === null ? {} : { apiKeyId };
};

function isPresented(request: Request, sessionId: string): boolean {
  const sent: unknown = request.query.sessionId ?? bearerToken(request.headers.authorization);
  return typeof sent === 'string' && isItsOwnKey(sessionId) && sameSecret(sent, sessionId);
}

const severalFlows = (): InvalidRequest =>
  new InvalidRequest([
    { path: 'flowId', message: 'is required: several flows have a session of this id (?flowId=)' },
  ]);
