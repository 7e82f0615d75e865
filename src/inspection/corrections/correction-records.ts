import { v7 as uuidV7 } from 'uuid';
import type { Change } from '../../api/corrections.js';
import { declareBudget } from '../../common/budgets/budget.js';
import { NotFound } from '../../common/service-error.js';
import type { SqlValue, Tx } from '../../database/tx.js';
import { insertRows } from '../../database/writes/insert-rows.js';
import type { SessionAddress } from '../session.js';
import { fullOfCorrections, tooMany } from './refusals.js';
import type { Columns } from './subject.js';

/** The record of a correction, beside its items. */
export interface CorrectionNote {
  readonly by: string;
  readonly reason?: string;
  readonly executionId?: string;
  /** Set for an undo: the corrections of the unit that it reverses. */
  readonly undo?: { readonly corrections: readonly string[] };
  /** Set for a further edition of a report: the claim of the records, and the edition's number. */
  readonly edition?: { readonly claimId: string; readonly number: number };
}

/** The change of one subject by a correction. */
export interface CorrectedItem {
  readonly kind: string;
  readonly id: string;
  readonly change: Change;
  /** The changed columns with their earlier values. */
  readonly was: Columns;
}

const LOCK = `UPDATE inspection_sessions SET updated_at = updated_at WHERE flow_id = ? AND session_id = ?
  RETURNING corrections`;

const COUNT = `UPDATE inspection_sessions SET corrections = ?, arrivals = arrivals + 1, updated_at = ?
  WHERE flow_id = ? AND session_id = ? RETURNING arrivals`;

const INSERT = `INSERT INTO corrections (id, flow_id, session_id, number, made_at, made_by, reason, arrival, execution_id, unit,
  is_undo, claim_id, edition) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const INSERT_ITEMS = 'INSERT INTO corrected_items (correction_id, subject_id, kind, change, was) VALUES';

/** Rate limits on the corrections of one session; `within` is in milliseconds. */
const MOST = [
  { corrections: 300, within: 60_000 },
  { corrections: 2_000, within: 24 * 3_600_000 },
] as const;

const MEGABYTE = 1024 * 1024;

/** Limit on the record changes by all corrections of one session. */
const MOST_CHANGES = 100_000;

const texts = declareBudget({
  name: 'corrections of a session, with the words before and after',
  unit: 'bytes',
  owner: 'session',
  share: 8 * MEGABYTE,
  beyond: '409 session_full',
  reason: `Four times the text of a full session; a report lists its corrections. At most ${MOST_CHANGES} records are changed.`,
});

const USE = `SELECT COUNT(*) AS changes, SUM(OCTET_LENGTH(change) + OCTET_LENGTH(was)) AS bytes
  FROM corrected_items JOIN corrections ON corrections.id = corrected_items.correction_id
  WHERE session_id = ? AND flow_id = ?`;

/**
 * Locks the corrections of a session until the transaction ends and returns the number of the newest. Throws 404 if there
 * is no such session, 429 above the rate limits, and 409 above the limits in total.
 */
export async function enterCorrections(
  tx: Tx,
  { flowId, sessionId }: SessionAddress,
  now: number,
): Promise<number> {
  const number = await lockCorrections(tx, { flowId, sessionId });
  for (const { corrections, within } of MOST) {
    const sql = 'SELECT made_at FROM corrections WHERE session_id = ? AND flow_id = ? AND number = ?';
    const earlier = await tx.one<{ made_at: number }>(sql, [sessionId, flowId, number - corrections + 1]);
    if (earlier && now - earlier.made_at < within) throw tooMany(earlier.made_at + within - now);
  }
  const use = await tx.one<{ changes: number; bytes: number | null }>(USE, [sessionId, flowId]);
  if (Number(use?.changes) > MOST_CHANGES || Number(use?.bytes) > texts.share) throw fullOfCorrections();
  return number;
}

/** Locks like `enterCorrections`, without the limits: for corrections that were admitted before. */
export async function lockCorrections(tx: Tx, { flowId, sessionId }: SessionAddress): Promise<number> {
  const session = await tx.one<{ corrections: number }>(LOCK, [flowId, sessionId]);
  if (!session) throw new NotFound('This inspection session');
  return session.corrections;
}

/** Writes the rows of a correction and returns its id; `number` is that of the previous one, `id` a chosen one. */
export async function recordCorrection(
  tx: Tx,
  { flowId, sessionId }: SessionAddress,
  note: CorrectionNote,
  items: readonly CorrectedItem[],
  { number, now, id = uuidV7({ msecs: now }) }: { number: number; now: number; id?: string },
): Promise<string> {
  const { by, reason = null, undo, executionId = null, edition } = note;
  const session = await tx.one<{ arrivals: number }>(COUNT, [number + 1, now, flowId, sessionId]);
  await tx.run(INSERT, [
    id,
    flowId,
    sessionId,
    number + 1,
    now,
    by,
    reason,
    session?.arrivals ?? 0,
    executionId,
    executionId ?? id,
    undo ? 1 : 0,
    edition?.claimId ?? null,
    edition?.number ?? null,
  ]);
  const rows = items.map(({ kind, id: subject, change, was }): SqlValue[] => [
    id,
    subject,
    kind,
    JSON.stringify(change),
    JSON.stringify(was),
  ]);
  await insertRows(tx, INSERT_ITEMS, '', rows);
  for (const reversed of undo?.corrections ?? [])
    await tx.run('UPDATE corrections SET undone_by = ? WHERE id = ?', [id, reversed]);
  return id;
}

/** Returns the corrections of one unit that can be undone, newest first; those of a report's edition never can. */
export async function correctionsOfUnit(
  tx: Tx,
  { flowId, sessionId }: SessionAddress,
  unit: string,
): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    `SELECT id FROM corrections WHERE session_id = ? AND flow_id = ? AND unit = ? AND ${CAN_BE_UNDONE} ORDER BY number DESC`,
    [sessionId, flowId, unit],
  );
  return rows.map(({ id }) => id);
}

/** The SQL condition of corrections that can be undone. */
export const CAN_BE_UNDONE = 'is_undo = 0 AND undone_by IS NULL AND edition IS NULL';

/** The items of a correction. */
export async function itemsOf(tx: Tx, correctionId: string): Promise<CorrectedItem[]> {
  const rows = await tx.all<{ subject_id: string; kind: string; change: string; was: string }>(
    'SELECT subject_id, kind, change, was FROM corrected_items WHERE correction_id = ? ORDER BY subject_id',
    [correctionId],
  );
  return rows.map(({ subject_id, kind, change, was }) => ({
    id: subject_id,
    kind,
    change: JSON.parse(change) as Change,
    was: JSON.parse(was) as Columns,
  }));
}
