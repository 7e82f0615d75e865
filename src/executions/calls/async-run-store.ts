import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { sha256Hex } from '../../common/constant-time.js';
import { ServiceError } from '../../common/service-error.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { Tx } from '../../database/tx.js';
import type { ExecutionStatus } from '../execution.js';

/** What `GET …/runs/:token` answers, and what is posted to a `callbackUrl`. */
export interface AsyncStatus {
  status: ExecutionStatus;
  /** As the JSON form of a prediction. */
  answer?: unknown;
  /** The problem body. */
  error?: unknown;
}

/** Answer or error of a run that has ended. */
export type AsyncEnd = Pick<AsyncStatus, 'answer' | 'error'>;

/** 128 random bits. */
export const newRunToken = (): string => randomBytes(16).toString('base64url');

interface StatusRow {
  status: ExecutionStatus;
  answer: string | null;
}

/** The runs that nobody waits for, as rows (contract section 3). Tokens are kept as hashes. */
@Injectable()
export class AsyncRunStore {
  constructor(
    private readonly reader: DatabaseReader,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /** In the transaction that opens the record. Throws 503 `overloaded` beyond `MAX_ASYNC_RUNS` unfinished ones. */
  async add(
    tx: Tx,
    run: { executionId: string; token: string; requestKey: string; callbackUrl: string | undefined },
  ): Promise<void> {
    // By their records, with this one among them: however one came to its end, it counts no more.
    const unfinished = await tx.one<{ count: number }>(
      `SELECT COUNT(*) AS count FROM executions WHERE status = 'running' AND outlives_process = 1`,
    );
    if (Number(unfinished?.count) > this.config.maxAsyncRuns) throw tooMany();
    await tx.run(
      `INSERT INTO async_runs (id, token_hash, request_key, callback_url, created_at)
       VALUES (?, ?, ?, ?, ?)`,
      [run.executionId, sha256Hex(run.token), run.requestKey, run.callbackUrl ?? null, this.clock.now()],
    );
  }

  /** In the transaction that ends the run; answers where it wants to be told. */
  async end(tx: Tx, executionId: string, end: AsyncEnd): Promise<{ callbackUrl: string | null } | undefined> {
    const row = await tx.one<{ callback_url: string | null }>(
      'UPDATE async_runs SET answer = ?, ended_at = ?, request_key = NULL WHERE id = ? AND ended_at IS NULL RETURNING callback_url',
      [JSON.stringify(end), this.clock.now(), executionId],
    );
    return row && { callbackUrl: row.callback_url };
  }

  /** Where the call of a run lies in the store. */
  async requestKey(executionId: string): Promise<string | undefined> {
    const sql = 'SELECT request_key FROM async_runs WHERE id = ?';
    return (
      (await this.reader.one<{ request_key: string | null }>(sql, [executionId]))?.request_key ?? undefined
    );
  }

  /** By its token or, for whoever holds a key, by its execution id; undefined when this flow has no such run. */
  async status(flowId: string, name: string, byId: boolean): Promise<AsyncStatus | undefined> {
    const row = await this.reader.one<StatusRow>(
      `SELECT executions.status, async_runs.answer FROM async_runs
       JOIN executions ON executions.id = async_runs.id
       WHERE executions.flow_id = ? AND async_runs.${byId ? 'id' : 'token_hash'} = ?`,
      [flowId, byId ? name : sha256Hex(name)],
    );
    if (!row) return undefined;
    return { status: row.status, ...(row.answer === null ? {} : (JSON.parse(row.answer) as AsyncEnd)) };
  }
}

const tooMany = (): ServiceError =>
  new ServiceError(
    503,
    'overloaded',
    'As many runs are unfinished as the service takes without their callers waiting. Try again later, or wait for the answer.',
    { headers: { 'Retry-After': '5' } },
  );
