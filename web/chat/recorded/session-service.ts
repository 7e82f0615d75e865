import { type Json, listIn, objectIn, problemOf, Refused, textIn, Unreachable } from '../../common/answer.js';
import { uniqueId } from '../../common/unique-id.js';
import { piecesOf } from '../turns/pieces.js';
import type { FlowService } from '../turns/service.js';
import type { Change, Recorded } from './recorded.js';

/** The photographs and areas of this chat's session. */
export interface SessionShown {
  /** Recorded photographs by the message ids that the page gave them. */
  photographs: ReadonlyMap<string, Recorded>;
  /** The areas of the session, the one being inspected last. */
  areas: readonly string[];
  /** The area that photographs without one are filed under; none after a remark, which closes it. */
  current?: string;
  /** Message ids of photographs that the service did not record, although it answered their messages. */
  refused?: readonly string[];
}

/** Access to the session of a chat. */
export interface SessionPlace {
  flowId: string;
  service: SessionService;
  sessionId: () => string;
}

/** The most ids that the service accepts in one call. */
const AT_ONCE = 100;

/**
 * Calls about the chat's session. They carry the flow's key or, when the flow has none, the chat's id, which opens only
 * its own session. All throw `Unreachable` and `Refused`.
 */
export class SessionService {
  constructor(
    private readonly flowId: string,
    private readonly flow: FlowService,
  ) {}

  async photographs(sessionId: string, messageIds: readonly string[]): Promise<SessionShown> {
    const found = new Map<string, Recorded>();
    let areas: Pick<SessionShown, 'areas' | 'current'> =
      messageIds.length === 0 ? areasIn(await this.areas(sessionId)) : { areas: [] };
    for (let from = 0; from < messageIds.length; from += AT_ONCE) {
      const query = new URLSearchParams({ flowId: this.flowId });
      for (const id of messageIds.slice(from, from + AT_ONCE)) query.append('messageId', id);
      const path = `sessions/${encodeURIComponent(sessionId)}/photographs?${query.toString()}`;
      const body = await this.call(sessionId, 'GET', path);
      for (const one of listIn(body['photographs']).map(objectIn))
        found.set(textIn(one['messageId']), recordedIn(one));
      areas = areasIn(body);
    }
    return { photographs: found, ...areas };
  }

  private async areas(sessionId: string): Promise<Json> {
    const query = new URLSearchParams({ flowId: this.flowId });
    const path = `sessions/${encodeURIComponent(sessionId)}/areas?${query.toString()}`;
    return this.call(sessionId, 'GET', path);
  }

  /** Returns the details that the list of this device shows or remembers. */
  async details(sessionId: string): Promise<{ address: string; assessor: string }> {
    const query = new URLSearchParams({ flowId: this.flowId });
    const path = `sessions/${encodeURIComponent(sessionId)}/details?${query.toString()}`;
    const details = objectIn(objectIn(await (await this.ask(sessionId, path)).json())['details']);
    return { address: textIn(details['address']), assessor: textIn(details['assessor']) };
  }

  async photograph(sessionId: string, id: string): Promise<Recorded> {
    return recordedIn(await this.call(sessionId, 'GET', `photographs/${id}`));
  }

  /** Corrects a photograph and returns its new state. */
  async correct(sessionId: string, id: string, change: Change): Promise<Recorded> {
    return recordedIn(await this.call(sessionId, 'POST', `photographs/${id}/corrections`, change));
  }

  /** Calls a route below `/api/v1/inspection`. A POST of the same `idempotencyKey` takes effect once. */
  async call(
    sessionId: string,
    method: string,
    path: string,
    body?: object,
    idempotencyKey = uniqueId(),
  ): Promise<Json> {
    const answer = await this.ask(sessionId, path, {
      method,
      headers: {
        ...(method === 'POST' ? { 'Idempotency-Key': idempotencyKey } : {}),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return objectIn(await answer.json().catch(unreachable));
  }

  /** Fetches the print: an upright JPEG with the corrected rotation. */
  async print(sessionId: string, id: string): Promise<Blob> {
    const answer = await this.ask(sessionId, `photographs/${id}/print`, { cache: 'no-cache' });
    return answer.blob().catch(unreachable);
  }

  private async ask(sessionId: string, path: string, init: RequestInit = {}): Promise<Response> {
    const { key } = this.flow;
    const headers = {
      ...this.flow.headers(key ?? sessionId),
      ...(init.headers as Record<string, string>),
    };
    const answer = await fetch(`/api/v1/inspection/${path}`, { cache: 'no-store', ...init, headers }).catch(
      unreachable,
    );
    this.flow.reportRefusal(answer, key);
    if (answer.ok) return answer;
    const { status } = answer;
    throw new Refused(
      await problemOf({ status, header: (name) => answer.headers.get(name), pieces: piecesOf(answer) }),
    );
  }
}

const recordedIn = (body: Record<string, unknown>): Recorded => {
  const report = objectIn(body['report']);
  return {
    id: textIn(body['id']),
    area: textIn(body['area']),
    turn: Number(body['turn'] ?? 0),
    withdrawn: textIn(body['withdrawnAt']) !== '',
    ...(textIn(report['at']) === '' ? {} : { reportedAt: textIn(report['at']) }),
  };
};

/** Lists the areas in the order of their first photograph, with the current area last. */
function areasIn(body: Json): Pick<SessionShown, 'areas' | 'current'> {
  const areas = listIn(body['areas']).map((area) => textIn(objectIn(area)['area']));
  const current = textIn(body['currentArea']);
  return current === ''
    ? { areas }
    : { areas: [...areas.filter((area) => area !== current), current], current };
}

function unreachable(error: unknown): never {
  throw new Unreachable('The service cannot be reached.', { cause: error });
}
