import type { Tx } from '../../database/tx.js';
import type { AreaType } from '../areas/area-type.js';
import type { Area } from '../areas/classify-area.js';
import type { SessionAddress } from '../session.js';
import type { CaptureCommand, RecordedRemark } from './capture-command.js';
import type { SessionPlace } from './file-capture.js';
import type { StoredPhotograph } from './photograph-intake.js';

interface SessionRow {
  current_area: string | null;
  current_area_type: AreaType | null;
  last_area: string | null;
  last_area_type: AreaType | null;
  last_closed_at: number | null;
  arrivals: number;
}

/** The current area of the session, and the number of its next arrival. */
export interface EnteredSession {
  place: SessionPlace;
  firstArrival: number;
}

const CREATE = `INSERT INTO inspection_sessions (flow_id, session_id, arrivals, created_at, updated_at)
  VALUES (?, ?, 0, ?, ?) ON CONFLICT DO NOTHING`;

const ENTER = `UPDATE inspection_sessions SET arrivals = arrivals + ?, updated_at = ? WHERE flow_id = ? AND session_id = ?
  RETURNING current_area, current_area_type, last_area, last_area_type, last_closed_at, arrivals`;

/** Reserves `arrivals` arrival numbers; locks the session's row until the transaction ends. */
export async function enterSession(
  tx: Tx,
  { flowId, sessionId }: SessionAddress,
  arrivals: number,
  now: number,
): Promise<EnteredSession> {
  await tx.run(CREATE, [flowId, sessionId, now, now]);
  const row = await tx.one<SessionRow>(ENTER, [arrivals, now, flowId, sessionId]);
  if (!row) throw new Error('the inspection session could not be entered');
  return {
    firstArrival: row.arrivals - arrivals + 1,
    place: {
      current: row.current_area === null ? null : { name: row.current_area, type: row.current_area_type },
      last: row.last_area === null ? null : { name: row.last_area, type: row.last_area_type },
      lastClosedAt: row.last_closed_at,
    },
  };
}

export async function storePlace(
  tx: Tx,
  { flowId, sessionId }: SessionAddress,
  place: SessionPlace,
): Promise<void> {
  await tx.run(
    `UPDATE inspection_sessions SET current_area = ?, current_area_type = ?, last_area = ?, last_area_type = ?,
     last_closed_at = ? WHERE flow_id = ? AND session_id = ?`,
    [
      place.current?.name ?? null,
      place.current?.type ?? null,
      place.last?.name ?? null,
      place.last?.type ?? null,
      place.lastClosedAt,
      flowId,
      sessionId,
    ],
  );
}

/** Returns the photographs of the session, claimed or not, already recorded under these keys: key → id. */
export async function knownPhotographs(
  tx: Tx,
  { flowId, sessionId }: SessionAddress,
  keys: readonly string[],
): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map();
  const rows = await tx.all<{ id: string; message_key: string }>(
    `SELECT id, message_key FROM photographs WHERE flow_id = ? AND session_id = ? AND message_key IN
     (${keys.map(() => '?').join(', ')})`,
    [flowId, sessionId, ...keys],
  );
  return new Map(rows.map((row) => [row.message_key, row.id]));
}

/** Returns the remark of the session already recorded under this key. */
export async function knownRemark(
  tx: Tx,
  { flowId, sessionId }: SessionAddress,
  key: string,
): Promise<RecordedRemark | undefined> {
  return tx.one<RecordedRemark>(
    'SELECT id, area_name AS area FROM remarks WHERE flow_id = ? AND session_id = ? AND message_key = ?',
    [flowId, sessionId, key],
  );
}

export interface NewPhotograph {
  id: string;
  area: Area;
  capturedAt: number;
  source: 'captureTs' | 'server';
  arrival: number;
  messageKey: string | null;
  name?: string;
  caption?: string;
  stored: StoredPhotograph;
}

const INSERT_PHOTOGRAPH = `INSERT INTO photographs (id, flow_id, session_id, area_key, area_name, area_type, service,
  captured_at, source, received_at, arrival, message_key, caption, file_name, format, sha256, bytes, original_key,
  original_width, original_height, rendition_key, rendition_sha256, rendition_bytes, width, height, perceptual_hash,
  partly_read, camera, execution_id) VALUES (${Array(29).fill('?').join(', ')}) ON CONFLICT DO NOTHING`;

/** Inserts a photograph; returns false if another call has recorded its message key first. */
export async function insertPhotograph(
  tx: Tx,
  command: CaptureCommand,
  photograph: NewPhotograph,
): Promise<boolean> {
  const { area, stored } = photograph;
  const { original, rendition, picture } = stored;
  const inserted = await tx.run(INSERT_PHOTOGRAPH, [
    photograph.id,
    command.flowId,
    command.sessionId,
    area.key,
    area.name,
    area.type,
    area.service ?? null,
    photograph.capturedAt,
    photograph.source,
    command.receivedAt,
    photograph.arrival,
    photograph.messageKey,
    photograph.caption ?? null,
    photograph.name ?? null,
    picture.format,
    original.sha256,
    original.bytes,
    original.key,
    picture.width,
    picture.height,
    rendition?.key ?? null,
    rendition?.sha256 ?? null,
    rendition?.bytes ?? null,
    picture.renditionWidth,
    picture.renditionHeight,
    picture.perceptualHash ?? null,
    picture.quality.includes('partly_read') ? 1 : 0,
    picture.camera === undefined ? null : JSON.stringify(picture.camera),
    command.executionId,
  ]);
  return inserted === 1;
}

export interface NewRemark {
  id: string;
  area: Area;
  text: string;
  recordedAt: number;
  arrival: number;
  messageKey: string | null;
}

/** Inserts a remark; returns false if another call has recorded its message key first. */
export async function insertRemark(tx: Tx, command: CaptureCommand, remark: NewRemark): Promise<boolean> {
  const { area } = remark;
  const inserted = await tx.run(
    `INSERT INTO remarks (id, flow_id, session_id, area_key, area_name, area_type, text, recorded_at, arrival,
     message_key, execution_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    [
      remark.id,
      command.flowId,
      command.sessionId,
      area.key,
      area.name,
      area.type,
      remark.text,
      remark.recordedAt,
      remark.arrival,
      remark.messageKey,
      command.executionId,
    ],
  );
  return inserted === 1;
}

/** Hints about duplicates of a photograph, which are recorded nevertheless. */
export interface Likeness {
  /** The first photograph of the session with the same bytes. */
  sameContentAs?: string;
  /** True if another session of the flow has the same picture, or one that looks the same. */
  inOtherSession: boolean;
}

export async function likenessOf(
  tx: Tx,
  { flowId, sessionId }: SessionAddress,
  { original, picture }: StoredPhotograph,
): Promise<Likeness> {
  const twin = await tx.one<{ id: string }>(
    'SELECT id FROM photographs WHERE flow_id = ? AND sha256 = ? AND session_id = ? AND withdrawn_at IS NULL ORDER BY id LIMIT 1',
    [flowId, original.sha256, sessionId],
  );
  const elsewhere = async (column: 'sha256' | 'perceptual_hash', value: string) => {
    for (const order of ['<', '>']) {
      const sql = `SELECT id FROM photographs WHERE flow_id = ? AND ${column} = ? AND session_id ${order} ? AND withdrawn_at IS NULL LIMIT 1`;
      if ((await tx.one(sql, [flowId, value, sessionId])) !== undefined) return true;
    }
    return false;
  };
  const inOtherSession =
    (await elsewhere('sha256', original.sha256)) ||
    (picture.perceptualHash !== undefined && (await elsewhere('perceptual_hash', picture.perceptualHash)));
  return { ...(twin === undefined ? {} : { sameContentAs: twin.id }), inOtherSession };
}
