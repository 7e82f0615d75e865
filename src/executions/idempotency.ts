import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { ServiceError } from '../common/service-error.js';
import { mayBeWritten } from '../database/away.js';
import { DatabaseReader } from '../database/database-reader.js';
import { LateWrites } from '../database/late-writes.js';
import { ProcessPresence } from '../database/process-presence.js';
import type { Tx } from '../database/tx.js';
import { WriteGate } from '../database/write-gate.js';
import type { ExecutionStatus, Outcome } from './execution.js';

/** A call that carries an `Idempotency-Key`. `fingerprint` stands for its parsed fields and the SHA-256 of its files. */
export interface KeyedCall {
  /** Checked key, else address, with route and flow or session. */
  scope: string;
  key: string;
  fingerprint: string;
  executionId: string;
}

/** The first answer to a key, as it was sent. `body` is JSON; `null` for an answer without one. */
export interface KeptAnswer {
  /** The execution that gave the answer. */
  executionId: string;
  /** How that execution stands; as its answer tells it where its record is gone or still runs. */
  status: Outcome['status'];
  httpStatus: number;
  body: unknown;
}

/** How long an answer is replayed. */
export const KEPT_MS = 24 * 3_600_000;

interface EntryRow {
  fingerprint: string;
  execution_id: string;
  http_status: number | null;
  answer: string | null;
  created_at: number;
  status: ExecutionStatus | null;
}

const CLAIM = `INSERT INTO idempotent_answers (scope, idempotency_key, fingerprint, execution_id, process_id, created_at)
  VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;

const TAKE_OVER = `UPDATE idempotent_answers SET fingerprint = ?, execution_id = ?, process_id = ?, created_at = ?,
  http_status = NULL, answer = NULL WHERE scope = ? AND idempotency_key = ? AND execution_id = ?`;

const FIND = `SELECT fingerprint, execution_id, kept.http_status, kept.answer, created_at, status
  FROM idempotent_answers AS kept LEFT JOIN executions ON executions.id = execution_id WHERE scope = ? AND idempotency_key = ?`;

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
   * Claims the key for this call (`'fresh'`: run it, then `keep` or `release`), or finds the answer to replay.
   * Throws 422 `idempotency_key_reused` for another request under the key, 409 `idempotency_key_in_use` while the
   * first still runs. An entry that has expired is taken over.
   */
  async begin(call: KeyedCall): Promise<'fresh' | { replay: KeptAnswer }> {
    for (let attempt = 0; attempt < 5; attempt++) {
      if (await this.claim(call)) return 'fresh';
      const entry = await this.reader.one<EntryRow>(FIND, [call.scope, call.key]);
      if (!entry) continue;
      if (this.isFree(entry)) {
        if (await this.takeOver(call, entry.execution_id)) return 'fresh';
        continue;
      }
      return { replay: answerIn(entry, call) };
    }
    throw keyInUse();
  }

  /**
   * The answer to replay; undefined once this call has claimed the key and shall run. A call that asks for a kept
   * answer alone (`wantsReplayAlone`) claims nothing, so that it never stands in the way of one that runs: where
   * nothing is kept it throws 410 `stream_expired`. Throws as `begin` does.
   */
  async replay(call: KeyedCall, replayAlone: boolean): Promise<KeptAnswer | undefined> {
    if (!replayAlone) {
      const begun = await this.begin(call).catch((error: unknown) => this.unclaimed(call, error));
      return begun === 'fresh' ? undefined : begun.replay;
    }
    const kept = await this.find(call);
    if (!kept) throw nothingKept();
    return kept;
  }

  /** The key may have been claimed although nobody heard of it. */
  private async unclaimed({ executionId }: KeyedCall, error: unknown): Promise<never> {
    if (mayBeWritten(error)) {
      await this.lateWrites.attempt(`the key of call ${executionId}`, () =>
        this.gate.write((tx) => this.release(tx, executionId)),
      );
    }
    throw error;
  }

  /** The answer to replay, without claiming the key where there is none. Throws as `begin` does. */
  private async find(call: Omit<KeyedCall, 'executionId'>): Promise<KeptAnswer | undefined> {
    const entry = await this.reader.one<EntryRow>(FIND, [call.scope, call.key]);
    return !entry || this.isFree(entry) ? undefined : answerIn(entry, call);
  }

  /** Keeps the answer of the call that claimed the key; in the transaction that closes its execution. */
  async keep(tx: Tx, executionId: string, answer: { httpStatus: number; body: unknown }): Promise<void> {
    await tx.run(
      `UPDATE idempotent_answers SET http_status = ?, answer = ?, process_id = NULL
       WHERE execution_id = ? AND http_status IS NULL`,
      [answer.httpStatus, JSON.stringify(answer.body ?? null), executionId],
    );
  }

  /** Gives the key free again: the call was not answered in a way that is kept. A kept answer stays. */
  async release(tx: Tx, executionId: string): Promise<void> {
    await tx.run(`DELETE FROM idempotent_answers WHERE execution_id = ? AND http_status IS NULL`, [
      executionId,
    ]);
  }

  private async claim(call: KeyedCall): Promise<boolean> {
    const { scope, key, fingerprint, executionId } = call;
    const values = [scope, key, fingerprint, executionId, this.presence.id, this.clock.now()];
    return (await this.gate.write((tx) => tx.run(CLAIM, values))) === 1;
  }

  private async takeOver(call: KeyedCall, from: string): Promise<boolean> {
    const { scope, key, fingerprint, executionId } = call;
    const values = [fingerprint, executionId, this.presence.id, this.clock.now(), scope, key, from];
    return (await this.gate.write((tx) => tx.run(TAKE_OVER, values))) === 1;
  }

  /** The key of a call whose process died is given free by the recovery, once the call has been interrupted. */
  private isFree(entry: EntryRow): boolean {
    return entry.http_status !== null && entry.created_at <= this.clock.now() - KEPT_MS;
  }
}

/**
 * Throws 409 `idempotency_key_in_use` where one of these calls no longer holds its key: its process was taken for dead,
 * and the key given free, before the call had a record that could be interrupted. In the transaction that opens them.
 */
export async function requireKeys(tx: Tx, executionIds: readonly string[]): Promise<void> {
  if (executionIds.length === 0) return;
  const held = await tx.all(
    `SELECT 1 FROM idempotent_answers WHERE execution_id IN (${executionIds.map(() => '?').join(', ')})`,
    executionIds,
  );
  if (held.length < executionIds.length) throw keyInUse();
}

function answerIn(entry: EntryRow, { fingerprint }: Pick<KeyedCall, 'fingerprint'>): KeptAnswer {
  if (entry.fingerprint !== fingerprint) throw keyReused();
  if (entry.http_status === null) throw keyInUse();
  return {
    executionId: entry.execution_id,
    status: statusOf(entry.status, entry.http_status),
    httpStatus: entry.http_status,
    body: JSON.parse(entry.answer ?? 'null') as unknown,
  };
}

function statusOf(status: ExecutionStatus | null, httpStatus: number): Outcome['status'] {
  if (status !== null && status !== 'running') return status;
  return httpStatus < 400 ? 'succeeded' : 'failed';
}

const keyReused = () =>
  new ServiceError(
    422,
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request. Send each request with a key of its own.',
  );

const nothingKept = () =>
  new ServiceError(
    410,
    'stream_expired',
    'No answer is kept under this Idempotency-Key. Send the call again without Idempotent-Replay to have it run.',
  );

const keyInUse = () =>
  new ServiceError(
    409,
    'idempotency_key_in_use',
    'The first request with this Idempotency-Key still runs. Try again when it has been answered.',
    { headers: { 'Retry-After': '1' } },
  );
