import type { Change } from '../../../src/api/corrections.js';
import type { PreviousItem, PreviousItemsPage } from '../../../src/api/previous-items.js';
import type { ThingView } from '../../../src/api/things.js';
import { type Json, objectIn, Refused } from '../../common/answer.js';
import { uniqueId } from '../../common/unique-id.js';
import { thingsOf } from '../recorded/session-things.js';
import { texts } from '../texts.js';
import { inWords, refusalNotice } from '../turns/trouble.js';
import { inspectionTexts } from './inspection-texts.js';
import type { InspectionPlace } from './place.js';

/** The most items of a page of them, and the most observations of a call. */
const MOST_ITEMS = '500';

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

  /** Returns the items of the check-in that the details name; undefined if its report is gone. */
  async previousItems(): Promise<PreviousItem[] | undefined> {
    const found: PreviousItem[] = [];
    try {
      for (let cursor: string | null = ''; cursor !== null;) {
        const search = { limit: MOST_ITEMS, ...(cursor === '' ? {} : { cursor }) };
        const page = (await this.inSession('GET', 'previous-items', { search })) as PreviousItemsPage;
        found.push(...page.data);
        cursor = page.nextCursor;
      }
      return found;
    } catch (error) {
      if (error instanceof Refused && error.problem.code === 'not_found') return undefined;
      throw error;
    }
  }

  /** Returns the work that records observations of one area like those of the check-in. Repeated, it records none twice. */
  recordingAsBefore(area: string, items: readonly PreviousItem[]): () => Promise<void> {
    const { flowId, service, sessionId } = this.place;
    const id = sessionId();
    const calls: { body: object; key: string }[] = [];
    for (let from = 0; from < items.length; from += Number(MOST_ITEMS)) {
      const some = items.slice(from, from + Number(MOST_ITEMS));
      const observations = some.map(({ item }) => ({ item, asBefore: true }));
      const body = { flowId, sessionId: id, area, areaType: some[0]!.areaType, observations };
      calls.push({ body, key: uniqueId() });
    }
    return async () => {
      for (const { body, key } of calls) await service.call(id, 'POST', 'capture', body, key);
    };
  }

  async rename(from: string, to: string): Promise<void> {
    await this.inSession('POST', 'areas/rename', { body: { from, to } });
  }

  /** Returns everything that the session has recorded. */
  things(): Promise<ThingView[]> {
    return thingsOf(this.place);
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
    { body, search = {} }: { body?: Json; search?: Record<string, string> } = {},
  ): Promise<Json> {
    const { flowId, service, sessionId } = this.place;
    const id = sessionId();
    const query = new URLSearchParams({ flowId, ...search });
    const path = `sessions/${encodeURIComponent(id)}/${part}?${query.toString()}`;
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
