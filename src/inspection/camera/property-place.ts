import type { SqlReader } from '../../database/tx.js';
import { readDetails } from '../details/details-rows.js';
import { placeOf } from '../report/read-geo.js';
import type { Coordinates } from './camera.js';

const MOST_REPORTS = 20;

/** Where the property of a session is, as far as it was said: by the `geo` of its record, else of its newest report. */
export async function propertyPlace(
  reader: SqlReader,
  { flowId, sessionId }: { flowId: string; sessionId: string },
): Promise<Coordinates | undefined> {
  const { details } = await readDetails(reader, { flowId, sessionId });
  const recorded = geoOf(details);
  if (recorded) return recorded;
  const reports = await reader.all<{ flow_ids: string; meta: string }>(
    `SELECT flow_ids, meta FROM claims WHERE session_id = ? AND state = 'settled'
     ORDER BY created_at DESC LIMIT ${MOST_REPORTS}`,
    [sessionId],
  );
  for (const { flow_ids, meta } of reports) {
    if (!(JSON.parse(flow_ids) as string[]).includes(flowId)) continue;
    const place = geoOf(JSON.parse(meta));
    if (place) return place;
  }
  return undefined;
}

/** `meta` is anything at all. */
function geoOf(meta: unknown): Coordinates | undefined {
  const geo = isObject(meta) ? meta['geo'] : undefined;
  return isObject(geo) ? placeOf(geo) : undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
