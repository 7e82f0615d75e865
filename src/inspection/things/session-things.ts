import { z } from 'zod';
import type { ThingsPage, ThingView } from '../../api/things.js';
import { declareBudget } from '../../common/budgets/budget.js';
import { isoTime } from '../../common/iso-time.js';
import { cursorOf, readCursor } from '../../common/json/cursor.js';
import type { SqlReader } from '../../database/tx.js';
import { bestSpelling } from '../areas/area-heading.js';
import { normalizeArea } from '../areas/normalize-area.js';
import type { SessionAddress } from '../session.js';
import { type Thing, type ThingTable, thingsOf } from './thing-rows.js';

const PAGE_TEXT = declareBudget({
  name: 'text on a page of recorded things',
  unit: 'bytes',
  owner: 'call',
  share: 1024 * 1024,
  beyond: 'the page ends there, and `nextCursor` continues it',
  reason: 'Remarks of 64 KiB each would make an answer of 13 MB.',
});

/** The cursor position of a thing in the list: its area and arrival number. */
const position = z.tuple([z.string(), z.int()]);

const PLACE = 'session_id = ? AND flow_id = ?';
const inAreas = (table: ThingTable, text: string): string =>
  `SELECT '${table}' AS source, id, area_key AS area, arrival, claim_id, COALESCE(OCTET_LENGTH(${text}), 0) AS bytes
   FROM ${table} WHERE ${PLACE} AND withdrawn_at IS NULL`;

/** The newest change of each detail. Its area is the empty text, which sorts first. */
const DETAILS = `SELECT 'detail_changes' AS source, id, REPLACE(service, '-', ' ') AS area, arrival, claim_id, OCTET_LENGTH(value) AS bytes
   FROM detail_changes WHERE ${PLACE} AND undone_by IS NULL AND value IS NOT NULL AND NOT EXISTS (
     SELECT 1 FROM detail_changes later WHERE later.session_id = detail_changes.session_id
       AND later.flow_id = detail_changes.flow_id AND later.name = detail_changes.name
       AND later.service = detail_changes.service AND later.undone_by IS NULL
       AND later.arrival > detail_changes.arrival)`;

const THINGS = `${inAreas('photographs', 'caption')} UNION ALL ${inAreas('remarks', 'text')}
   UNION ALL ${inAreas('facts', 'words')} UNION ALL ${DETAILS}`;

interface Row {
  source: ThingTable;
  id: string;
  area: string;
  arrival: number;
  bytes: number;
}

/** Lists the things of a session that were not withdrawn: details, then area by area, newest first in each. */
export async function listThings(
  reader: SqlReader,
  { flowId, sessionId }: SessionAddress,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<ThingsPage> {
  const places = Array.from({ length: 4 }, () => [sessionId, flowId]).flat();
  const [area, arrival] = cursor === undefined ? [] : readCursor(cursor, position);
  const after =
    area === undefined || arrival === undefined
      ? { sql: '', values: [] }
      : { sql: 'WHERE area > ? OR (area = ? AND arrival < ?)', values: [area, area, arrival] };
  const rows = await reader.all<Row>(
    `SELECT * FROM (${THINGS}) things ${after.sql} ORDER BY area, arrival DESC LIMIT ?`,
    [...places, ...after.values, limit + 1],
  );
  const page = rows.slice(0, Math.max(1, fitting(rows.slice(0, limit))));
  const last = page.length < rows.length ? page.at(-1) : undefined;
  const found = await thingsOf(
    reader,
    page.map(({ source, id }) => ({ table: source, id })),
  );
  const spelling = await spellings(reader, { flowId, sessionId });
  return {
    data: found.map((thing) => view({ ...thing, area: thing.area && spelling(thing.area) })),
    nextCursor: last === undefined ? null : cursorOf([last.area, last.arrival]),
  };
}

/** Returns the newest unclaimed things in the order in which an undo reverses them. */
export async function latestThings(
  reader: SqlReader,
  { flowId, sessionId }: SessionAddress,
  most: number,
): Promise<ThingView[]> {
  const places = Array.from({ length: 4 }, () => [sessionId, flowId]).flat();
  const rows = await reader.all<Row>(
    `SELECT * FROM (${THINGS}) things WHERE claim_id IS NULL ORDER BY arrival DESC LIMIT ?`,
    [...places, most],
  );
  const found = await thingsOf(
    reader,
    rows.map(({ source, id }) => ({ table: source, id })),
  );
  return found.map(view);
}

const NAMES = ['photographs', 'remarks', 'facts']
  .map((table) => `SELECT DISTINCT area_name FROM ${table} WHERE ${PLACE} AND withdrawn_at IS NULL`)
  .join(' UNION ALL ');

/** Returns the best spelling of each name in a session; `Smoke alarm` and `Heat alarm` are two names. */
async function spellings(reader: SqlReader, { flowId, sessionId }: SessionAddress) {
  const places = Array.from({ length: 3 }, () => [sessionId, flowId]).flat();
  const rows = await reader.all<{ area_name: string }>(NAMES, places);
  const byName = new Map<string, string[]>();
  for (const { area_name: sent } of rows) {
    const name = normalizeArea(sent);
    byName.set(name, [...(byName.get(name) ?? []), sent]);
  }
  return (sent: string): string => bestSpelling(byName.get(normalizeArea(sent)) ?? []) ?? sent;
}

/** Returns the number of first rows whose texts fit on one page. */
function fitting(rows: readonly Row[]): number {
  let bytes = 0;
  const beyond = rows.findIndex((row) => (bytes += Number(row.bytes)) > PAGE_TEXT.share);
  return beyond === -1 ? rows.length : beyond;
}

const view = ({ executionId, claimed, ...thing }: Thing): ThingView => ({
  ...thing,
  at: isoTime(instantOf(thing.id)),
  executionId,
  claimed,
});

/** Returns the instant of a UUID version 7 in epoch milliseconds. */
const instantOf = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16);
