import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { z } from 'zod';
import { DomainNotAllowed } from '../../auth/guards/allowed-domains.guard.js';
import { InvalidApiKey } from '../../auth/guards/api-key.guard.js';
import { FlowAccess } from '../../auth/guards/flow-access.js';
import { isItsOwnKey } from '../../auth/own-session.js';
import { checked } from '../../common/bodies/valid-body.decorator.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { bearerToken, sameSecret } from '../../common/secrets/constant-time.js';
import { FlowNotFound, InvalidRequest, NotFound, type ServiceError } from '../../common/service-error.js';
import { identifier } from '../../common/texts/identifier.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { Flow } from '../../flows/definition/flow.js';
import { FlowStore } from '../../flows/store/flow-store.js';
import type { SessionAddress } from '../session.js';

/** A session that the caller may read and change, and the key that allows it. */
export interface OwnSession extends SessionAddress {
  readonly isAdmin: boolean;
  /** The flow's key that was checked; absent for the admin key and on an open flow. */
  readonly apiKeyId?: string;
}

type OpenedFlow = Pick<OwnSession, 'flowId' | 'apiKeyId'>;

/** The flow of a run, and the checked key of its caller. */
export interface RunRights {
  readonly flowId: string;
  readonly apiKeyId?: string;
}

/** Returns true if the caller of a run showed the key of its flow, which alone has photographs in the report. */
export const mayReadInRun = ({ flowId, apiKeyId }: RunRights, flowIds: readonly string[]): boolean =>
  apiKeyId !== undefined && flowIds.every((each) => each === flowId);

const CLIENT_ROUTE = { rateLimit: false, missCountsOnce: true, disabledToo: true } as const;

/**
 * Authorises reading and changing the records of an inspection (contract sections 4 and 5), before a body is read. Requires
 * the admin key, or the flow's key from a page that the flow allows. `open` and `openRecord` also accept the session id of
 * an open flow as a key to that session if it is a version 4 UUID, which cannot be guessed.
 */
@Injectable()
export class SessionAccess {
  constructor(
    private readonly access: FlowAccess,
    private readonly adminGuard: AdminGuard,
    private readonly flows: FlowStore,
    private readonly reader: DatabaseReader,
  ) {}

  /** Throws 401 or 403 unless the call may list the sessions of this flow, or of all flows when none is named. */
  async toList(request: Request, flowId: string | undefined): Promise<void> {
    if (flowId !== undefined) return this.require(request, flowId);
    if (!this.adminGuard.holdsAdminKey(request)) throw new InvalidApiKey(request);
  }

  /** Returns the flow whose session of this id the call may see. Throws 401 without a key, 403, and 404 when there is none. */
  async toSession(request: Request, sessionId: string, flowId: string | undefined): Promise<string> {
    let ofPage: DomainNotAllowed | undefined;
    for (const flow of await this.flowsWith(sessionId)) {
      if ((flowId ?? flow) !== flow) continue;
      const refusal = await this.access.refusalToRead(request, [flow]);
      if (!refusal) return flow;
      if (refusal instanceof DomainNotAllowed) ofPage = refusal;
    }
    if (ofPage) throw ofPage;
    await this.toList(request, flowId);
    throw new NotFound('This inspection session');
  }

  /** Throws 401 or 403 unless the call may see data of this flow; only the admin gets 404 for missing data. */
  async toFlow(request: Request, flowId: string | undefined): Promise<void> {
    if (flowId !== undefined) return this.require(request, flowId);
    if (this.adminGuard.holdsAdminKey(request)) throw new NotFound('This photograph');
    throw new InvalidApiKey(request);
  }

  /**
   * Opens the session in the named flow, even if it is empty; without a flow, in the only flow of the caller that has it.
   * Throws 400 if several flows have it, 401, 403, 404 if none has it or the flow does not exist (counted as a strike), and
   * 429 for a blocked address.
   */
  async open(request: Request, id: string, flowId?: string): Promise<OwnSession> {
    const isAdmin = this.adminGuard.holdsAdminKey(request);
    if (flowId === undefined) {
      if (!isAdmin) await this.access.checkAddress(request);
      const { sessionId } = checked(named, { sessionId: id });
      return { ...(await this.openOnly(request, sessionId, isAdmin)), sessionId, isAdmin };
    }
    const access = isAdmin ? undefined : await this.access.admit(request, flowId, CLIENT_ROUTE);
    const { sessionId } = checked(named, { sessionId: id });
    const place = { flowId, sessionId, isAdmin };
    if (access?.apiKeyId !== undefined) return { ...place, apiKeyId: access.apiKeyId };
    if (isAdmin && !(await this.isKnown(place))) throw new FlowNotFound();
    if (!isAdmin && !isItsOwnKey(sessionId)) throw new InvalidApiKey(request);
    return place;
  }

  /**
   * Opens the session of a photograph, remark or fact; `place` is undefined if there is no such record. A record id is no
   * key: on an open flow the call also sends the session id, as `?sessionId=` or as the bearer token. Only the admin gets
   * 404 for a missing record.
   */
  async openRecord(request: Request, place: SessionAddress | undefined, what: string): Promise<OwnSession> {
    if (this.adminGuard.holdsAdminKey(request)) {
      if (!place) throw new NotFound(what);
      return { ...place, isAdmin: true };
    }
    await this.access.checkAddress(request);
    const flow = place && (await this.flows.find(place.flowId));
    if (!place || !flow) throw new InvalidApiKey(request);
    const refusal = await this.refusalToUse(request, flow, isPresented(request, place.sessionId));
    if (refusal) throw refusal;
    return { ...place, isAdmin: false, ...keyOf(flow) };
  }

  /** Returns true if there is an inspection report of this id that the call may read. */
  async mayReadReport(request: Request, reportId: string): Promise<boolean> {
    const flowIds = await this.flowsOfReport(reportId);
    return flowIds !== undefined && (await this.access.refusalToRead(request, flowIds)) === undefined;
  }

  /** Returns true if there is an inspection report of this id that the caller of a run may read. */
  async mayReadReportInRun(run: RunRights, reportId: string): Promise<boolean> {
    const flowIds = await this.flowsOfReport(reportId);
    return flowIds !== undefined && mayReadInRun(run, flowIds);
  }

  private async flowsOfReport(reportId: string): Promise<string[] | undefined> {
    const row = await this.reader.one<{ flow_ids: string }>(
      `SELECT flow_ids FROM claims WHERE report_id = ? AND source IS NULL AND state = 'settled'`,
      [reportId],
    );
    return row && (JSON.parse(row.flow_ids) as string[]);
  }

  private async openOnly(request: Request, sessionId: string, isAdmin: boolean): Promise<OpenedFlow> {
    const opened: OpenedFlow[] = [];
    let refusal: ServiceError | undefined;
    for (const flowId of await this.flowsWith(sessionId)) {
      const flow = isAdmin ? undefined : await this.flows.find(flowId);
      const found = isAdmin ? undefined : await this.refusalToUse(request, flow, isItsOwnKey(sessionId));
      if (!found) opened.push({ flowId, ...keyOf(flow) });
      else if (refusal?.status !== 403) refusal = found;
    }
    if (opened.length > 1) throw severalFlows();
    if (opened[0]) return opened[0];
    if (refusal) throw refusal;
    if (isAdmin || isItsOwnKey(sessionId)) throw new NotFound('This inspection session');
    throw new InvalidApiKey(request);
  }

  private async refusalToUse(
    request: Request,
    flow: Flow | undefined,
    isOwn: boolean,
  ): Promise<ServiceError | undefined> {
    if (!flow || (flow.access.apiKeyId === null && !isOwn)) return new InvalidApiKey(request);
    return this.access.refusalToUse(request, flow);
  }

  /** Returns true if the flow or the session exists; an inspection outlives its flow. */
  private async isKnown({ flowId, sessionId }: SessionAddress): Promise<boolean> {
    return (
      (await this.flows.find(flowId)) !== undefined || (await this.flowsWith(sessionId)).includes(flowId)
    );
  }

  /** Returns the flows with a session of this id, most recently changed first. */
  private async flowsWith(sessionId: string): Promise<string[]> {
    const rows = await this.reader.all<{ flow_id: string }>(
      'SELECT flow_id FROM inspection_sessions WHERE session_id = ? ORDER BY updated_at DESC, flow_id',
      [sessionId],
    );
    return rows.map((row) => row.flow_id);
  }

  private async require(request: Request, flowId: string): Promise<void> {
    const refusal = await this.access.refusalToRead(request, [flowId]);
    if (refusal) throw refusal;
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
