import type { Pool, PoolClient, QueryResult } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';
import type { Connections, GateConnection } from './connections.js';
import { markTransaction } from './transaction-mark.js';
import { numberPlaceholders, type SqlValue } from './tx.js';

/** Held by the writing transaction, so that PostgreSQL, like SQLite, has one writer at a time over all processes. */
export const WRITER_LOCK = 0x5e17_1ce;

export class PostgresDatabase implements Connections {
  constructor(private readonly dataSource: DataSource) {}

  async openGate(): Promise<GateConnection> {
    const runner = this.dataSource.createQueryRunner('master');
    const client = (await runner.connect()) as PoolClient;
    return new PostgresGate(runner, client, this.dataSource);
  }

  async read<Row>(sql: string, parameters: readonly SqlValue[]): Promise<Row[]> {
    this.dataSource.logger.logQuery(sql, parameters as unknown[]);
    return (await poolOf(this.dataSource).query(statement(sql, parameters))).rows as Row[];
  }
}

const COMMIT_LOOKS = 40;
const COMMIT_LOOK_EVERY_MS = 250;

class PostgresGate implements GateConnection {
  lost = false;
  /** Number of the transaction that was begun, as PostgreSQL gives it. */
  private beginning: Promise<string> = Promise.resolve('');

  constructor(
    readonly runner: QueryRunner,
    private readonly client: PoolClient,
    private readonly dataSource: DataSource,
  ) {
    client.on('end', this.lose).on('error', this.lose);
  }

  async begin(soonDurable: boolean): Promise<void> {
    // Every other connection is read-only by default; one round trip begins and takes the writer's turn. What is sent
    // behind it does nothing if it fails: there is no transaction that may write then.
    const commit = soonDurable ? 'SET LOCAL synchronous_commit = off; ' : '';
    this.beginning = this.client
      .query(
        `BEGIN READ WRITE; ${commit}SELECT pg_advisory_xact_lock(${WRITER_LOCK}), pg_current_xact_id()::text AS number`,
      )
      .then(numberOf);
    this.beginning.catch(() => undefined);
    markTransaction(this.runner, true);
  }

  async begun(): Promise<void> {
    await this.beginning;
  }

  async commit(): Promise<void> {
    try {
      await this.client.query('COMMIT');
    } catch (error) {
      const status = await this.whatBecame();
      if (status === 'aborted') throw error;
      if (status !== 'committed') throw new OutcomeUnknown(status, { cause: error });
    }
    markTransaction(this.runner, false);
  }

  /** Of a transaction whose COMMIT got no answer: the connection broke off in between. */
  private async whatBecame(): Promise<string> {
    const number = await this.beginning;
    for (let look = 1; ; look++) {
      const status = await this.statusOf(number);
      const known = status !== 'in progress' && status !== 'unreachable';
      if (known || look === COMMIT_LOOKS) return status;
      await new Promise((resolve) => setTimeout(resolve, COMMIT_LOOK_EVERY_MS));
    }
  }

  private async statusOf(number: string): Promise<string> {
    const look = 'SELECT pg_xact_status($1::text::xid8) AS status';
    try {
      const { rows } = await poolOf(this.dataSource).query<{ status: string }>(look, [number]);
      return rows[0]?.status ?? 'forgotten';
    } catch {
      return 'unreachable';
    }
  }

  /** Three statements on their way at once. Where one fails, those behind it do nothing. */
  async alone(sql: string, parameters: readonly SqlValue[]): Promise<unknown[]> {
    await this.begin(true);
    const [rows, end] = await Promise.allSettled([this.all(sql, parameters), this.commit()]);
    await this.begun();
    if (rows.status === 'rejected') throw rows.reason;
    if (end.status === 'rejected') throw end.reason;
    return rows.value;
  }

  async rollback(): Promise<void> {
    markTransaction(this.runner, false);
    await this.client.query('ROLLBACK');
  }

  async exec(sql: string): Promise<void> {
    await this.client.query(sql);
  }

  async all(sql: string, parameters: readonly SqlValue[]): Promise<unknown[]> {
    this.dataSource.logger.logQuery(sql, parameters as unknown[]);
    return (await this.client.query(statement(sql, parameters))).rows as unknown[];
  }

  async run(sql: string, parameters: readonly SqlValue[]): Promise<number> {
    this.dataSource.logger.logQuery(sql, parameters as unknown[]);
    return (await this.client.query(statement(sql, parameters))).rowCount ?? 0;
  }

  async release(): Promise<void> {
    this.client.off('end', this.lose).off('error', this.lose);
    await this.runner.release();
  }

  private readonly lose = (): void => {
    this.lost = true;
  };
}

/** Nobody could be asked whether a transaction was committed: it may have been. */
class OutcomeUnknown extends Error {
  constructor(status: string, options: ErrorOptions) {
    super(`a commit got no answer, and what became of it could not be found out (${status})`, options);
    this.name = 'OutcomeUnknown';
  }
}

const poolOf = ({ driver }: DataSource): Pool => (driver as unknown as { master: Pool }).master;

/** Of the statements that begin a transaction the last one answers its number. */
function numberOf(results: unknown): string {
  const last = (results as QueryResult<{ number: string }>[]).at(-1);
  return last?.rows[0]?.number ?? '';
}

const names = new Map<string, string>();

/** Named, so that PostgreSQL parses and plans each text once a connection. */
function statement(sql: string, parameters: readonly SqlValue[]) {
  let name = names.get(sql);
  if (name === undefined) {
    if (names.size > 1000) return { text: numberPlaceholders(sql), values: [...parameters] };
    name = `s${names.size}`;
    names.set(sql, name);
  }
  return { name, text: numberPlaceholders(sql), values: [...parameters] };
}
