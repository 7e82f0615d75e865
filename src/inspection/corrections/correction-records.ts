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
  readonly undoes?: string;
  /** Of a further edition of a report: the claim that holds the records, and the edition's number. */
  readonly edition?: { readonly claimId: string; readonly number: number };
}

/** The change of one subject by a correction. */
export interface CorrectedItem {
  readonly kind: string;
  readonly id: string;
  readonly change: Change;
  /** The columns that it changed, with their values before. */
  readonly was: Columns;
}

const LOCK = `UPDATE inspection_sessions SET updated_at = updated_at WHERE flow_id = ? AND session_id = ?
  RETURNING corrections`;

const COUNT = `UPDATE inspection_sessions SET corrections = ?, updated_at = ? WHERE flow_id = ? AND session_id = ?`;

const INSERT = `INSERT INTO corrections (id, flow_id, session_id, number, made_at, made_by, reason, undoes, execution_id,
  claim_id, edition) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const INSERT_ITEMS = 'INSERT INTO corrected_items (correction_id, subject_id, kind, change, was) VALUES';

/** More corrections of one session than any of these in so many milliseconds are refused. */
const MOST = [
  { corrections: 300, within: 60_000 },
  { corrections: 2_000, within: 24 * 3_600_000 },
] as const;

const MEGABYTE = 1024 * 1024;

/** Records that the corrections of one session may have changed, all together. */
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
 * Makes corrections of one session wait for each other until the transaction ends, and answers the number of the newest.
 * Throws 404 where there is no such session, 429 where there were too many lately, 409 where there are too many.
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

/** The same without a limit: of what was let in before. */
export async function lockCorrections(tx: Tx, { flowId, sessionId }: SessionAddress): Promise<number> {
  const session = await tx.one<{ corrections: number }>(LOCK, [flowId, sessionId]);
  if (!session) throw new NotFound('This inspection session');
  return session.corrections;
}

/** Writes the rows of a correction; `number` is that of the one before. */
export async function recordCorrection(
  tx: Tx,
  { flowId, sessionId }: SessionAddress,
  note: CorrectionNote,
  items: readonly CorrectedItem[],
  { number, now }: { number: number; now: number },
): Promise<void> {
  const id = uuidV7({ msecs: now });
  const { by, reason = null, undoes = null, executionId = null, edition } = note;
  await tx.run(COUNT, [number + 1, now, flowId, sessionId]);
  await tx.run(INSERT, [
    id,
    flowId,
    sessionId,
    number + 1,
    now,
    by,
    reason,
    undoes,
    executionId,
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
}

/** The newest correction of the session that is neither reversed nor itself a step back, nor of a report's edition. */
export async function newestToUndo(
  tx: Tx,
  { flowId, sessionId }: SessionAddress,
): Promise<string | undefined> {
  const row = await tx.one<{ id: string }>(
    `SELECT id FROM corrections made WHERE session_id = ? AND flow_id = ? AND undoes IS NULL AND edition IS NULL AND NOT EXISTS
     (SELECT 1 FROM corrections undone WHERE undone.undoes = made.id) ORDER BY number DESC LIMIT 1`,
    [sessionId, flowId],
  );
  return row?.id;
}

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
