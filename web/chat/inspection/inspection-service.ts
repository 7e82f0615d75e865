import { type Json, objectIn, problemOf, Refused, Unreachable } from '../../common/answer.js';
import { texts } from '../texts.js';
import { piecesOf } from '../turns/pieces.js';
import { inWords, refusalNotice } from '../turns/trouble.js';
import { inspectionTexts } from './inspection-texts.js';
import type { InspectionPlace } from './place.js';

/** Calls about the inspection. On a flow without a key, the chat's id opens them. They throw `Unreachable` and `Refused`. */
export class InspectionService {
  constructor(private readonly place: InspectionPlace) {}

  /** Returns `details` and `warnings`. */
  details(): Promise<Json> {
    return this.ask('GET', 'details');
  }

  /** Replaces the given members; null removes one. */
  changeDetails(members: Json): Promise<Json> {
    return this.ask('PATCH', 'details', members);
  }

  /** Returns `areas`, `currentArea` and `outstandingAreas`. */
  areas(): Promise<Json> {
    return this.ask('GET', 'areas');
  }

  async rename(from: string, to: string): Promise<void> {
    await this.ask('POST', 'areas/rename', { from, to });
  }

  private async ask(method: string, part: string, body?: Json): Promise<Json> {
    const { flowId, flow, sessionId } = this.place;
    const session = encodeURIComponent(sessionId());
    const url = `/api/v1/inspection/sessions/${session}/${part}?flowId=${encodeURIComponent(flowId)}`;
    const answer = await fetch(url, {
      method,
      cache: 'no-store',
      headers: { ...flow.headers(), 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(unreachable);
    if (answer.ok) return objectIn(await answer.json().catch(unreachable));
    const { status } = answer;
    const header = (name: string) => answer.headers.get(name);
    throw new Refused(await problemOf({ status, header, pieces: piecesOf(answer) }));
  }
}

/** Describes a failed call to the person. */
export function failureInWords(error: unknown): string {
  if (!(error instanceof Refused)) return texts.inspectionOffline;
  const { problem } = error;
  return inspectionTexts.refusals[problem.code] ?? inWords(refusalNotice(problem));
}

function unreachable(error: unknown): never {
  throw new Unreachable('The service cannot be reached.', { cause: error });
}
