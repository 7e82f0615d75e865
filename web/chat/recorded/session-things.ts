import type { ThingsPage, ThingView } from '../../../src/api/things.js';
import type { SessionPlace } from './session-service.js';

/** The most things that the service lists on one page. */
const PAGE = '200';

/** Returns everything that the session has recorded. Throws `Unreachable` and `Refused`. */
export async function thingsOf({ flowId, service, sessionId }: SessionPlace): Promise<ThingView[]> {
  const found: ThingView[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query = new URLSearchParams({ flowId, limit: PAGE, ...(cursor === '' ? {} : { cursor }) });
    const path = `sessions/${encodeURIComponent(sessionId())}/things?${query.toString()}`;
    const page = (await service.call(sessionId(), 'GET', path)) as unknown as ThingsPage;
    found.push(...page.data);
    cursor = page.nextCursor;
  }
  return found;
}

/** Returns the remarks that came with the message of these photographs, and that stand in the same area. */
export function remarksBeside(things: readonly ThingView[], photographs: readonly string[]): ThingView[] {
  const moved = things.filter(({ kind, id }) => kind === 'photograph' && photographs.includes(id));
  return things.filter(
    ({ kind, claimed, area, executionId }) =>
      kind === 'remark' &&
      !claimed &&
      moved.some((photograph) => photograph.executionId === executionId && photograph.area === area),
  );
}
