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

/** A call with an `Idempotency-Key`. `fingerprint` covers its parsed fields and the SHA-256 of its files. */
export interface KeyedCall {
  /** The checked API key, else the address, with route and flow or session. */
  scope: string;
  key: string;
  fingerprint: string;
  executionId: string;
}

/** The interrupted call under the same key, whose run is resumed (contract section 11). */
export interface Earlier {
  /** The execution that was interrupted, lost its caller, or failed by a fault of the service. */
  executionId: string;
  /** The first execution of the run. */
  runId: string;
  /** True if the run is paid for. */
  paid: boolean;
  /** Chat of the run, also if the service named it. */
  chatId?: string;
}

/** The result of a claim: an answer to replay, or the key, with the call to resume. */
export type KeyClaim = { replay: StoredAnswer } | { resumesFrom: Earlier | undefined };

/** Free attempts of a paid run under one key; the next one is charged. */
const MOST_UNPAID = 3;

const CLAIM = `INSERT INTO idempotent_answers (scope, idempotency_key, fingerprint, execution_id, process_id, created_at)
  VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;

const TAKE_OVER = `UPDATE idempotent_answers SET fingerprint = ?, execution_id = ?, run_id = ?,
  process_id = ?, created_at = ?, http_status = NULL, answer = NULL
  WHERE scope = ? AND idempotency_key = ? AND execution_id = ?`;

/** Counts the executions of a run whose charge stands, and those that were free because of it. */
const PAID = `SELECT COUNT(CASE WHEN status = 'aborted' AND credits > refunded THEN 1 END) AS charged,
  COUNT(CASE WHEN run_id IS NOT NULL AND credits = 0 AND status <> 'rejected' THEN 1 END) AS free
  FROM executions WHERE id = ? OR run_id = ?`;

/** Answers stored for 24 hours under an `Idempotency-Key` (contract section 1), over all processes of one database. */
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
   * Claims the key for this call (then `store`, `leave`, `release` or `forget`), or returns the answer to replay. With
   * `replayAlone` it claims nothing, so that it never blocks a call that runs. Throws 422 `idempotency_key_reused` for
   * another request under the key, 409 `idempotency_key_in_use` while the first still runs, and 410 `stream_expired` if
   * `replayAlone` finds nothing.
   */
  async claimKey(call: KeyedCall, replayAlone = false): Promise<KeyClaim> {
    if (!replayAlone) return this.begin(call).catch((error: unknown) => this.unclaimed(call, error));
    const replay = await this.find(call);
    if (!replay) throw noStoredAnswer();
    return { replay };
  }

  /** Takes over an entry that was left or has expired. */
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

  /** Releases a claim whose commit may have succeeded. */
  private async unclaimed({ scope, key, executionId }: KeyedCall, error: unknown): Promise<never> {
    if (mayBeWritten(error)) {
      await this.lateWrites.attempt(`the key of call ${executionId}`, () =>
        this.gate.write((tx) => this.release(tx, executionId), [idempotencyKey(scope, key)]),
      );
    }
    throw error;
  }

  /** Returns the answer to replay, without claiming the key. Throws as `begin` does. */
  private async find(call: Omit<KeyedCall, 'executionId'>): Promise<StoredAnswer | undefined> {
    const entry = await entryOf(this.reader, call);
    return !entry || isFree(entry, this.clock.now()) ? undefined : answerIn(entry, call);
  }

  /** Stores the answer of the call that holds the key, in the transaction that closes its execution. */
  async store(tx: Tx, executionId: string, answer: { httpStatus: number; body: unknown }): Promise<void> {
    await tx.run(
      `UPDATE idempotent_answers SET http_status = ?, answer = ?, process_id = NULL
       WHERE execution_id = ? AND http_status IS NULL`,
      [answer.httpStatus, JSON.stringify(answer.body ?? null), executionId],
    );
  }

  /** Withdraws the 202 of a call that fails before its caller got it, unless its run outlives its process. */
  async withdraw(tx: Tx, executionId: string): Promise<void> {
    await tx.run(
      `UPDATE idempotent_answers SET http_status = NULL, answer = NULL WHERE execution_id = ?
       AND EXISTS (SELECT 1 FROM executions WHERE id = execution_id AND outlives_process = 0
         AND (status = 'running' OR code = 'interrupted'))`,
      [executionId],
    );
  }

  /** Lets the next call under the same key resume this run, which nobody wanted to end. */
  async leave(tx: Tx, executionId: string): Promise<void> {
    await tx.run(
      'UPDATE idempotent_answers SET process_id = NULL WHERE execution_id = ? AND http_status IS NULL',
      [executionId],
    );
  }

  /**
   * Frees the key of a call that was refused or whose answer is not stored. If it was to resume a run, the key leads to
   * that run again. A stored answer stays.
   */
  async release(tx: Tx, executionId: string): Promise<void> {
    const own = 'execution_id = ? AND http_status IS NULL';
    await tx.run(`DELETE FROM idempotent_answers WHERE ${own} AND run_id IS NULL`, [executionId]);
    await tx.run(`UPDATE idempotent_answers SET process_id = NULL WHERE ${own}`, [executionId]);
  }

  /** Frees the key of a cancelled call: the next call under it is new. */
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

  /** Takes an entry over. An expired one is claimed as a new call. Returns undefined if another call was faster. */
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

  /** Returns the earlier call under the key; undefined if none has a record. */
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
 * Throws 409 `idempotency_key_in_use` if one of these calls no longer holds its key, because its process was taken for
 * dead before the call had a record. Runs in the transaction that opens them.
 */
export async function requireKeys(tx: Tx, executionIds: readonly string[]): Promise<void> {
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
    'No answer is stored under this Idempotency-Key. Send the call again without Idempotent-Replay to run it.',
  );
