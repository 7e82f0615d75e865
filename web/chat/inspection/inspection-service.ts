import type { Change } from '../../../src/api/corrections.js';
import type { ThingsPage, ThingView } from '../../../src/api/things.js';
import { type Json, objectIn, Refused } from '../../common/answer.js';
import { texts } from '../texts.js';
import { inWords, refusalNotice } from '../turns/trouble.js';
import { inspectionTexts } from './inspection-texts.js';
import type { InspectionPlace } from './place.js';

/** The most things that the service lists on one page. */
const PAGE = '200';

/** Calls about the inspection. On a flow without a key, the chat's id opens them. They throw `Unreachable` and `Refused`. */
export class InspectionService {
  constructor(private readonly place: InspectionPlace) {}

  /** Returns `details` and `warnings`. */
  details(): Promise<Json> {
    return this.inSession('GET', 'details');
  }

  /** Replaces the given members; null removes one. */
  changeDetails(members: Json): Promise<Json> {
    return this.inSession('PATCH', 'details', { body: members });
  }

  /** Returns `areas`, `currentArea` and `outstandingAreas`. */
  areas(): Promise<Json> {
    return this.inSession('GET', 'areas');
  }

  async rename(from: string, to: string): Promise<void> {
    await this.inSession('POST', 'areas/rename', { body: { from, to } });
  }

  /** Returns everything that the session has recorded. */
  async things(): Promise<ThingView[]> {
    const found: ThingView[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: Record<string, string> = cursor === '' ? { limit: PAGE } : { limit: PAGE, cursor };
      const page = (await this.inSession('GET', 'things', { query })) as unknown as ThingsPage;
      found.push(...page.data);
      cursor = page.nextCursor;
    }
    return found;
  }

  /** Returns the members of a fact. */
  async fact(id: string): Promise<Json> {
    const { service, sessionId } = this.place;
    return objectIn((await service.call(sessionId(), 'GET', `facts/${id}`))['fact']);
  }

  /** Corrects a photograph, remark or fact. `withdrawn: false` restores a removed one. */
  async correct(thing: ThingView, change: Change): Promise<void> {
    const { service, sessionId } = this.place;
    await service.call(sessionId(), 'POST', `${routeOf(thing)}/corrections`, change);
  }

  /** Withdraws a remark or fact. */
  async remove(thing: ThingView): Promise<void> {
    const { service, sessionId } = this.place;
    await service.call(sessionId(), 'DELETE', routeOf(thing));
  }

  private inSession(
    method: string,
    part: string,
    { query = {}, body }: { query?: Record<string, string>; body?: Json } = {},
  ): Promise<Json> {
    const { flowId, service, sessionId } = this.place;
    const id = sessionId();
    const search = new URLSearchParams({ flowId, ...query });
    const path = `sessions/${encodeURIComponent(id)}/${part}?${search.toString()}`;
    return service.call(id, method, path, body);
  }
}

function routeOf({ kind, id }: ThingView): string {
  if (kind === 'photograph') return `photographs/${id}`;
  return kind === 'remark' ? `remarks/${id}` : `facts/${id}`;
}

/** Describes a failed call to the person. */
export function failureInWords(error: unknown): string {
  if (!(error instanceof Refused)) return texts.inspectionOffline;
  const { problem } = error;
  return inspectionTexts.refusals[problem.code] ?? inWords(refusalNotice(problem));
}
