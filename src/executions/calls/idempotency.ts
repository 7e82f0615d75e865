import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import { mayBeWritten } from '../../database/away.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { ProcessPresence } from '../../database/presence/process-presence.js';
import type { Tx } from '../../database/tx.js';
import { LateWrites } from '../../database/writes/late-writes.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { idempotencyKey } from '../../database/writes/write-keys.js';
import {
  answerIn,
  entryOf,
  hasExpired,
  isFree,
  type StoredAnswer,
  type KeyEntry,
  keyInUse,
  keyReused,
} from './key-entry.js';

/** A call that carries an `Idempotency-Key`. `fingerprint` stands for its parsed fields and the SHA-256 of its files. */
export interface KeyedCall {
  /** Checked key, else address, with route and flow or session. */
  scope: string;
  key: string;
  fingerprint: string;
  executionId: string;
}

/** The call under the same key that was cut short: its run is continued (contract section 11). */
export interface Earlier {
  /** The execution that was interrupted, lost its caller, or could not go on for a fault of the service. */
  executionId: string;
  /** The first execution of the run. */
  runId: string;
  /** The run is paid for already. */
  paid: boolean;
  /** The chat that the run is in: the service named it where its caller did not. */
  chatId?: string;
}

/** The state of a call's key: answered before, or claimed by this call, which may run. */
export type KeyClaim = { replay: StoredAnswer } | { resumesFrom: Earlier | undefined };

/** Attempts of one key that cost nothing because the run was paid for; the next is charged. */
const MOST_UNPAID = 3;

const CLAIM = `INSERT INTO idempotent_answers (scope, idempotency_key, fingerprint, execution_id, process_id, created_at)
  VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;

const TAKE_OVER = `UPDATE idempotent_answers SET fingerprint = ?, execution_id = ?, run_id = ?,
  process_id = ?, created_at = ?, http_status = NULL, answer = NULL
  WHERE scope = ? AND idempotency_key = ? AND execution_id = ?`;

/** Of a run's executions: those whose charge stands, and those that cost nothing because of it. */
const PAID = `SELECT COUNT(CASE WHEN status = 'aborted' AND credits > refunded THEN 1 END) AS charged,
  COUNT(CASE WHEN run_id IS NOT NULL AND credits = 0 AND status <> 'rejected' THEN 1 END) AS free
  FROM executions WHERE id = ? OR run_id = ?`;

/** Answers kept for 24 hours under an `Idempotency-Key` (contract section 1), over all processes of one database. */
@Injectable()
export class IdempotentAnswers {
  constructor(
    private readonly gate: WriteGate,
    private readonly reader: DatabaseReader,
    private readonly presence: ProcessPresence,
    private readonly clock: Clock,
    private readonly lateWrites: LateWrites,
  ) {}

  /**
   * Claims the key for this call (run it, then `keep`, `leave`, `release` or `forget`), or finds the answer to replay. A call that
   * asks for a kept answer alone (`replayAlone`) claims nothing, so that it never stands in the way of one that runs.
   * Throws 422 `idempotency_key_reused` for another request under the key, 409 `idempotency_key_in_use` while the first
   * still runs, and 410 `stream_expired` where `replayAlone` finds nothing.
   */
  async claimKey(call: KeyedCall, replayAlone = false): Promise<KeyClaim> {
    if (!replayAlone) return this.begin(call).catch((error: unknown) => this.unclaimed(call, error));
    const replay = await this.find(call);
    if (!replay) throw noStoredAnswer();
    return { replay };
  }

  /** An entry that was left, or that has expired, is taken over. */
  private async begin(call: KeyedCall): Promise<KeyClaim> {
    for (let attempt = 0; attempt < 5; attempt++) {
      if (await this.claim(call)) return { resumesFrom: undefined };
      const entry = await entryOf(this.reader, call);
      if (!entry) continue;
      if (!isFree(entry, this.clock.now())) return { replay: answerIn(entry, call) };
      const taken = await this.takeOver(call, entry);
      if (taken) return taken;
    }
    throw keyInUse();
  }

  /** The claim may have been committed although its answer was lost. */
  private async unclaimed({ scope, key, executionId }: KeyedCall, error: unknown): Promise<never> {
    if (mayBeWritten(error)) {
      await this.lateWrites.attempt(`the key of call ${executionId}`, () =>
        this.gate.write((tx) => this.release(tx, executionId), [idempotencyKey(scope, key)]),
      );
    }
    throw error;
  }

  /** The answer to replay, without claiming the key where there is none. Throws as `begin` does. */
  private async find(call: Omit<KeyedCall, 'executionId'>): Promise<StoredAnswer | undefined> {
    const entry = await entryOf(this.reader, call);
    return !entry || isFree(entry, this.clock.now()) ? undefined : answerIn(entry, call);
  }

  /** Keeps the answer of the call that claimed the key; in the transaction that closes its execution. */
  async store(tx: Tx, executionId: string, answer: { httpStatus: number; body: unknown }): Promise<void> {
    await tx.run(
      `UPDATE idempotent_answers SET http_status = ?, answer = ?, process_id = NULL
       WHERE execution_id = ? AND http_status IS NULL`,
      [answer.httpStatus, JSON.stringify(answer.body ?? null), executionId],
    );
  }

  /**
   * Takes back the 202 that was kept for a call which fails before its caller was told so. That of a run which outlives its
   * process stays: another may have it by now.
   */
  async withdraw(tx: Tx, executionId: string): Promise<void> {
    await tx.run(
      `UPDATE idempotent_answers SET http_status = NULL, answer = NULL WHERE execution_id = ?
       AND EXISTS (SELECT 1 FROM executions WHERE id = execution_id AND outlives_process = 0
         AND (status = 'running' OR code = 'interrupted'))`,
      [executionId],
    );
  }

  /** Lets a call under the same key continue the run of this one, which nobody wanted to end. */
  async leave(tx: Tx, executionId: string): Promise<void> {
    await tx.run(
      'UPDATE idempotent_answers SET process_id = NULL WHERE execution_id = ? AND http_status IS NULL',
      [executionId],
    );
  }

  /**
   * Frees the key of a call that was refused, or whose answer is not kept; where the call was to continue an earlier
   * run, the key leads to that run again. A kept answer stays.
   */
  async release(tx: Tx, executionId: string): Promise<void> {
    const own = 'execution_id = ? AND http_status IS NULL';
    await tx.run(`DELETE FROM idempotent_answers WHERE ${own} AND run_id IS NULL`, [executionId]);
    await tx.run(`UPDATE idempotent_answers SET process_id = NULL WHERE ${own}`, [executionId]);
  }

  /** Frees the key of a call that was stopped on demand, whatever it was to continue: the next one under it is new. */
  async forget(tx: Tx, executionId: string): Promise<void> {
    await tx.run('DELETE FROM idempotent_answers WHERE execution_id = ? AND http_status IS NULL', [
      executionId,
    ]);
  }

  private async claim(call: KeyedCall): Promise<boolean> {
    const { scope, key, fingerprint, executionId } = call;
    const values = [scope, key, fingerprint, executionId, this.presence.id, this.clock.now()];
    return (await this.gate.write((tx) => tx.run(CLAIM, values), [idempotencyKey(scope, key)])) === 1;
  }

  /** Undefined when another call was faster. An expired entry is claimed as a new call. */
  private takeOver(call: KeyedCall, entry: KeyEntry): Promise<KeyClaim | undefined> {
    const { scope, key, fingerprint, executionId } = call;
    const from = entry.executionId;
    const now = this.clock.now();
    const expired = hasExpired(entry, now);
    if (!expired && entry.fingerprint !== fingerprint) throw keyReused();
    return this.gate.write(
      async (tx) => {
        const earlier = expired ? undefined : await this.earlierOf(tx, entry);
        const values = [fingerprint, executionId, earlier?.runId ?? null, this.presence.id, now];
        const taken = (await tx.run(TAKE_OVER, [...values, scope, key, from])) === 1;
        return taken ? { resumesFrom: earlier } : undefined;
      },
      [idempotencyKey(scope, key)],
    );
  }

  /** Undefined when no call under the key came so far as to have a record. */
  private async earlierOf(
    tx: Tx,
    { executionId: last, runId: begun }: KeyEntry,
  ): Promise<Earlier | undefined> {
    const runId = begun ?? last;
    const records = 'SELECT id, chat_id AS "chatId" FROM executions WHERE id IN (?, ?)';
    const known = await tx.all<{ id: string; chatId: string | null }>(records, [last, runId]);
    const first = known.find(({ id }) => id === runId);
    if (!first) return undefined;
    const paid = await tx.one<{ charged: number; free: number }>(PAID, [runId, runId]);
    return {
      executionId: known.some(({ id }) => id === last) ? last : runId,
      runId,
      paid: paid !== undefined && paid.charged > 0 && paid.free < MOST_UNPAID,
      ...(first.chatId === null ? {} : { chatId: first.chatId }),
    };
  }
}

/**
 * Throws 409 `idempotency_key_in_use` where one of these calls no longer holds its key: its process was taken for dead,
 * and the key released, before the call had a record that could be interrupted. In the transaction that opens them.
 */
export async function requireKeys(tx: Tx, executionIds: readonly string[]): Promise<void> {
  if (executionIds.length === 0) return;
  const held = await tx.all(
    `SELECT 1 FROM idempotent_answers WHERE process_id IS NOT NULL
       AND execution_id IN (${executionIds.map(() => '?').join(', ')})`,
    executionIds,
  );
  if (held.length < executionIds.length) throw keyInUse();
}

const noStoredAnswer = () =>
  new ServiceError(
    'stream_expired',
    'No answer is stored under this Idempotency-Key. Send the call again without Idempotent-Replay to have it run.',
  );
