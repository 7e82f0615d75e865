import { ServiceError } from '../../common/service-error.js';
import type { SqlReader, Tx } from '../../database/tx.js';
import type { Coordinates } from '../pictures/camera.js';
import { placeOf } from '../report/read-geo.js';
import type { SessionAddress } from '../session.js';
import {
  type DetailChange,
  type DetailsPlace,
  recordSteps,
  stepsBetween,
  withoutSteps,
} from './detail-changes.js';
import { changed, type Details, type DetailsChange } from './read-details.js';

/** The record and the instant of its last change, epoch milliseconds; null before the first change. */
export interface StoredDetails {
  readonly details: Details;
  readonly updatedAt: number | null;
}

interface Row {
  flow_id: string;
  details: string;
  area_comments: string | null;
  comments_claim_id: string | null;
  updated_at: number;
}

const COLUMNS = 'flow_id, details, area_comments, comments_claim_id, updated_at';
const OF = 'flow_id = ? AND session_id = ?';

/** Limit on the size of a record as JSON. */
export const MOST_DETAILS_BYTES = 64 * 1024;

/** Throws `DetailsTooLarge` for a change that exceeds the size of a record. */
export function requireFits(change: DetailsChange): void {
  if (Buffer.byteLength(JSON.stringify(change.members)) > MOST_DETAILS_BYTES) throw new DetailsTooLarge();
}

/** Characters of a member that the list of sessions shows and searches. */
const LONGEST_SHOWN = 500;

/** 413: the record would exceed its limit; nothing of the change is stored. */
export class DetailsTooLarge extends ServiceError {
  constructor() {
    super('body_too_large', 'The details of an inspection may have at most 64 KiB. Send less.');
  }
}

export async function readDetails(
  reader: SqlReader,
  { flowId, sessionId }: SessionAddress,
): Promise<StoredDetails> {
  const sql = `SELECT ${COLUMNS} FROM inspection_details WHERE ${OF}`;
  const row = await reader.one<Row>(sql, [flowId, sessionId]);
  return row
    ? { details: detailsOf(row), updatedAt: Number(row.updated_at) }
    : { details: {}, updatedAt: null };
}

/**
 * Makes a change in the open transaction. Locks the rows of the session and of its record, so that no concurrent change is
 * lost. The lock order is the same everywhere: session, record, photographs. Throws `DetailsTooLarge`.
 */
export async function changeDetails(
  tx: Tx,
  place: DetailsPlace,
  change: DetailsChange,
  now: number,
): Promise<StoredDetails> {
  const before = await openDetails(tx, place, now);
  const details = changed(before, change);
  await writeDetails(tx, place, details, 'areaComments' in change.members);
  await recordSteps(tx, place, stepsBetween(before, details), now);
  return { details, updatedAt: now };
}

/** Returns the bytes by which a change makes the stored details grow; negative if they shrink. */
export async function detailsGrowth(
  reader: SqlReader,
  session: SessionAddress,
  change: DetailsChange,
): Promise<number> {
  const { details, updatedAt } = await readDetails(reader, session);
  return bytesStored(changed(details, change)) - (updatedAt === null ? 0 : bytesStored(details));
}

const bytesStored = ({ areaComments: _, ...others }: Details): number =>
  Buffer.byteLength(JSON.stringify(others));

/** Restores the details to their state before these changes, which are ordered newest first. */
export async function undoDetails(
  tx: Tx,
  session: SessionAddress,
  changes: readonly DetailChange[],
  now: number,
): Promise<void> {
  if (changes.length === 0) return;
  const before = await openDetails(tx, session, now);
  const comments = changes.some(({ name }) => name === 'areaComments');
  await writeDetails(tx, session, withoutSteps(before, changes), comments);
}

/** Locks the session and its record, and reads the details. */
async function openDetails(tx: Tx, { flowId, sessionId }: SessionAddress, now: number): Promise<Details> {
  const place = [flowId, sessionId];
  await tx.run(
    `INSERT INTO inspection_sessions (flow_id, session_id, arrivals, created_at, updated_at)
     VALUES (?, ?, 0, ?, ?) ON CONFLICT DO NOTHING`,
    [...place, now, now],
  );
  await tx.run(`UPDATE inspection_sessions SET updated_at = ? WHERE ${OF}`, [now, ...place]);
  await tx.run(
    `INSERT INTO inspection_details (flow_id, session_id, details, updated_at) VALUES (?, ?, '{}', ?)
     ON CONFLICT DO NOTHING`,
    [...place, now],
  );
  const row = await tx.one<Row>(
    `UPDATE inspection_details SET updated_at = ? WHERE ${OF} RETURNING ${COLUMNS}`,
    [now, ...place],
  );
  if (!row) throw new Error('the record of the inspection could not be opened');
  return detailsOf(row);
}

async function writeDetails(
  tx: Tx,
  { flowId, sessionId }: SessionAddress,
  details: Details,
  withComments: boolean,
): Promise<void> {
  if (Buffer.byteLength(JSON.stringify(details)) > MOST_DETAILS_BYTES) throw new DetailsTooLarge();
  const place = [flowId, sessionId];
  const { areaComments, ...others } = details;
  const { address, postcode, assessor } = details;
  await tx.run(
    `UPDATE inspection_details SET details = ?, address = ?, postcode = ?, inspector = ? WHERE ${OF}`,
    [JSON.stringify(others), shown(address), shown(postcode), shown(assessor), ...place],
  );
  if (withComments)
    await tx.run(`UPDATE inspection_details SET area_comments = ?, comments_claim_id = NULL WHERE ${OF}`, [
      areaComments === undefined ? null : JSON.stringify(areaComments),
      ...place,
    ]);
}

/**
 * Returns the most recently changed record of the session in these flows, locked until the transaction ends, so that it
 * cannot change while a claim takes its comments.
 */
export async function lockLatest(
  tx: Tx,
  sessionId: string,
  flowIds: readonly string[],
): Promise<{ flowId: string; details: Details } | undefined> {
  if (flowIds.length === 0) return undefined;
  const found = await tx.one<{ flow_id: string }>(
    `SELECT flow_id FROM inspection_details WHERE session_id = ? AND flow_id IN (${flowIds.map(() => '?').join(', ')})
     ORDER BY updated_at DESC, flow_id LIMIT 1`,
    [sessionId, ...flowIds],
  );
  if (!found) return undefined;
  const row = await tx.one<Row>(
    `UPDATE inspection_details SET updated_at = updated_at WHERE ${OF} RETURNING ${COLUMNS}`,
    [found.flow_id, sessionId],
  );
  return row && { flowId: row.flow_id, details: detailsOf(row) };
}

/** Hides the area comments of the record, which the claim's report prints. */
export async function spendComments(
  tx: Tx,
  { flowId, sessionId }: SessionAddress,
  claimId: string,
): Promise<void> {
  await tx.run(
    `UPDATE inspection_details SET comments_claim_id = ? WHERE ${OF} AND area_comments IS NOT NULL AND comments_claim_id IS NULL`,
    [claimId, flowId, sessionId],
  );
}

/** Deletes the comments that a stored report prints. */
export async function forgetSpentComments(tx: Tx, claimId: string): Promise<void> {
  await tx.run(
    'UPDATE inspection_details SET area_comments = NULL, comments_claim_id = NULL WHERE comments_claim_id = ?',
    [claimId],
  );
}

/** Returns the comments of a released claim to the record, unless they were replaced meanwhile. */
export async function returnComments(tx: Tx, claimId: string): Promise<void> {
  await tx.run('UPDATE inspection_details SET comments_claim_id = NULL WHERE comments_claim_id = ?', [
    claimId,
  ]);
}

function detailsOf({ details, area_comments, comments_claim_id }: Row): Details {
  const stored = JSON.parse(details) as Details;
  if (area_comments === null || comments_claim_id !== null) return stored;
  return { ...stored, areaComments: JSON.parse(area_comments) as Details };
}

const shown = (value: unknown): string | null =>
  typeof value === 'string' && /\S/.test(value) ? value.slice(0, LONGEST_SHOWN).toWellFormed().trim() : null;

const MOST_REPORTS = 20;

/** Returns the position of the property, if known, from `geo` of the record, else of the newest report. */
export async function propertyPlace(
  reader: SqlReader,
  { flowId, sessionId }: SessionAddress,
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

/** Returns the coordinates in an unchecked `meta`. */
function geoOf(meta: unknown): Coordinates | undefined {
  const geo = isObject(meta) ? meta['geo'] : undefined;
  return isObject(geo) ? placeOf(geo) : undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
