import { setTimeout as wait } from 'node:timers/promises';
import type { QueryResult } from 'pg';
import type { DataSource } from 'typeorm';
import { timeLimit } from '../../common/time-limit.js';
import { OutcomeUnknown } from '../away.js';
import type { GateConnection } from '../connections.js';
import type { SqlValue } from '../tx.js';
import { lockNumbers } from '../writes/write-keys.js';
import { lease, type PostgresConnection } from './postgres-connection.js';
import { readOn, statement } from './postgres-statements.js';

/**
 * The lock of every transaction that writes: shared by transactions with keys, exclusive for those without and for
 * migrations.
 */
export const WRITER_LOCK = 0x5e17_1ce;

/** Timing of the search for the outcome of an unanswered COMMIT: in total, interval, and per query. The lane waits. */
const COMMIT_LOOKED_FOR_MS = 10_000;
const COMMIT_LOOK_EVERY_MS = 250;
const COMMIT_LOOK_SILENCE_MS = 2_000;

/**
 * Time without an answer after which the server counts as gone: longer than the wait for the writer lock and the longest
 * unit together.
 */
export const SILENCE_MS = 30_000;

/** A connection that writes transaction after transaction, each with the locks of its keys. */
export class PostgresGate implements GateConnection {
  private silence: NodeJS.Timeout | undefined;
  /** The transaction's id (xid). */
  private beginning: Promise<string> = Promise.resolve('');
  /** Statements of the open transaction that were sent without waiting. */
  private sent: Promise<unknown>[] = [];

  constructor(
    readonly dataSource: DataSource,
    private readonly connection: PostgresConnection,
  ) {}

  get lost(): boolean {
    return this.connection.lost;
  }

  async begin(soonDurable: boolean, keys?: readonly string[]): Promise<void> {
    this.sent = [];
    this.silence = setTimeout(() => this.connection.breakOff(), SILENCE_MS).unref();
    // One round trip begins and takes the locks. Statements that are pipelined behind it fail if it fails, because the
    // session is read-only outside of it.
    const commit = soonDurable ? 'SET LOCAL synchronous_commit = off; ' : '';
    this.beginning = this.connection
      .query(`BEGIN READ WRITE; ${commit}${locking(keys)}; SELECT pg_current_xact_id()::text AS number`)
      .then(numberOf);
    this.beginning.catch(() => undefined);
  }

  async begun(): Promise<void> {
    await this.beginning;
  }

  async commit(): Promise<void> {
    try {
      const { command } = await this.connection.query('COMMIT');
      clearTimeout(this.silence);
      if (command === 'COMMIT') return;
    } catch (error) {
      const status = await this.whatBecame();
      if (status === 'aborted') throw error;
      if (status !== 'committed') throw new OutcomeUnknown(error);
      return;
    }
    // PostgreSQL answers ROLLBACK when a statement of the transaction has failed.
    await this.settled();
    throw new Error('the transaction was rolled back');
  }

  /** Returns the status of a transaction whose COMMIT got no answer because the connection was lost. */
  private async whatBecame(): Promise<string> {
    const number = await this.beginning;
    const limit = timeLimit(COMMIT_LOOKED_FOR_MS);
    for (;;) {
      // Read before the query, so that a process that was suspended meanwhile queries once more.
      const isLast = limit.aborted;
      const status = await this.statusOf(number);
      const known = status !== 'in progress' && status !== 'unreachable';
      if (known || isLast) return status;
      await wait(COMMIT_LOOK_EVERY_MS);
    }
  }

  private async statusOf(number: string): Promise<string> {
    const query = { text: 'SELECT pg_xact_status($1::text::xid8) AS status', values: [number] };
    const look = lease(this.dataSource)
      .then((connection) => readOn<{ status: string }>(connection, query, COMMIT_LOOK_SILENCE_MS))
      .then((rows) => rows[0]?.status ?? 'forgotten')
      .catch(() => 'unreachable');
    // A connection may take long to open; one that opens too late is released unused.
    return Promise.race([look, wait(COMMIT_LOOK_SILENCE_MS, 'unreachable')]);
  }

  /** Pipelines three statements. If one fails, those behind it do nothing. */
  async alone(sql: string, parameters: readonly SqlValue[], keys?: readonly string[]): Promise<unknown[]> {
    await this.begin(true, keys);
    const [rows, end] = await Promise.allSettled([this.all(sql, parameters), this.commit()]);
    await this.begun();
    if (rows.status === 'rejected') throw rows.reason;
    if (end.status === 'rejected') throw end.reason;
    return rows.value;
  }

  async rollback(): Promise<void> {
    await this.connection.query('ROLLBACK');
    clearTimeout(this.silence);
  }

  async exec(sql: string): Promise<void> {
    this.sentNow(this.connection.query(sql));
  }

  async send(sql: string, parameters: readonly SqlValue[]): Promise<void> {
    this.sentNow(this.run(sql, parameters));
  }

  async settled(): Promise<void> {
    const { sent } = this;
    this.sent = [];
    await Promise.all(sent);
  }

  private sentNow(answer: Promise<unknown>): void {
    answer.catch(() => undefined);
    this.sent.push(answer);
  }

  async all(sql: string, parameters: readonly SqlValue[]): Promise<unknown[]> {
    this.dataSource.logger.logQuery(sql, parameters as unknown[]);
    return (await this.connection.query(statement(sql, parameters))).rows as unknown[];
  }

  async run(sql: string, parameters: readonly SqlValue[]): Promise<number> {
    this.dataSource.logger.logQuery(sql, parameters as unknown[]);
    return (await this.connection.query(statement(sql, parameters))).rowCount ?? 0;
  }

  async release(): Promise<void> {
    clearTimeout(this.silence);
    this.connection.discard();
  }
}

/**
 * Returns statements that take the locks. They are separate statements, because a statement reads what was committed before
 * it began and would not see the writes of the previous holder of its lock.
 */
function locking(keys: readonly string[] | undefined): string {
  if (keys === undefined) return `SELECT pg_advisory_xact_lock(${WRITER_LOCK})`;
  const shared = `SELECT pg_advisory_xact_lock_shared(${WRITER_LOCK})`;
  if (keys.length === 0) return shared;
  return `${shared}; SELECT pg_advisory_xact_lock(key) FROM unnest('{${lockNumbers(keys).join(',')}}'::bigint[]) AS key`;
}

/** Returns the transaction's id from the last of the statements that begin it. */
function numberOf(results: unknown): string {
  const last = (results as QueryResult<{ number: string }>[]).at(-1);
  return last?.rows[0]?.number ?? '';
}
