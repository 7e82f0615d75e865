import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';
import { ConnectionLost, isAway, OutcomeUnknown } from './away.js';
import type { Connections, GateConnection } from './connections.js';
import { PostgresConnection } from './postgres-connection.js';
import { markTransaction } from './transaction-mark.js';
import { numberPlaceholders, type SqlValue } from './tx.js';

/** Held by the writing transaction, so that PostgreSQL, like SQLite, has one writer at a time over all processes. */
export const WRITER_LOCK = 0x5e17_1ce;

/**
 * Every write finds its rows by an index. A plan that was kept from when a table had few rows would go on reading all of
 * it until PostgreSQL has counted again, a minute later or more.
 */
const BY_INDEX = 'SET enable_seqscan = off; SET jit = off';

export class PostgresDatabase implements Connections {
  constructor(private readonly dataSource: DataSource) {}

  async openGate(): Promise<GateConnection> {
    const runner = this.dataSource.createQueryRunner('master');
    const connection = PostgresConnection.of(await opened(runner.connect() as Promise<PoolClient>));
    await connection.query(BY_INDEX);
    return new PostgresGate(runner, connection, this.dataSource);
  }

  /** A reading whose connection broke off is made once more, on another: it changes nothing. */
  async read<Row>(sql: string, parameters: readonly SqlValue[]): Promise<Row[]> {
    this.dataSource.logger.logQuery(sql, parameters as unknown[]);
    const query = statement(sql, parameters);
    const first = await lease(this.dataSource);
    try {
      return await readOn<Row>(first, query);
    } catch (error) {
      if (!isAway(error)) throw error;
    }
    return readOn(await lease(this.dataSource), query);
  }
}

const poolOf = ({ driver }: DataSource): Pool => (driver as unknown as { master: Pool }).master;

const lease = async (dataSource: DataSource): Promise<PostgresConnection> =>
  PostgresConnection.of(await opened(poolOf(dataSource).connect()));

/** Whatever keeps a connection from being opened keeps the database away. */
const opened = (connecting: Promise<PoolClient>): Promise<PoolClient> =>
  connecting.catch((error: unknown) => {
    throw new ConnectionLost(error);
  });

async function readOn<Row>(connection: PostgresConnection, query: QueryConfig): Promise<Row[]> {
  let failure: unknown;
  try {
    return (await connection.query(query)).rows as Row[];
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    connection.release(failure);
  }
}

const COMMIT_LOOKS = 40;
const COMMIT_LOOK_EVERY_MS = 250;

/** Longer than the wait for the writers' turn and the longest unit together: a server that says nothing then is gone. */
const SILENCE_MS = 30_000;

class PostgresGate implements GateConnection {
  private silence: NodeJS.Timeout | undefined;
  /** Number of the transaction that was begun, as PostgreSQL gives it. */
  private beginning: Promise<string> = Promise.resolve('');

  constructor(
    readonly runner: QueryRunner,
    private readonly connection: PostgresConnection,
    private readonly dataSource: DataSource,
  ) {}

  get lost(): boolean {
    return this.connection.lost;
  }

  async begin(soonDurable: boolean): Promise<void> {
    this.silence = setTimeout(() => this.connection.breakOff(), SILENCE_MS).unref();
    // Every other connection is read-only by default; one round trip begins and takes the writer's turn. What is sent
    // behind it does nothing if it fails: there is no transaction that may write then.
    const commit = soonDurable ? 'SET LOCAL synchronous_commit = off; ' : '';
    this.beginning = this.connection
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
      await this.connection.query('COMMIT');
      clearTimeout(this.silence);
    } catch (error) {
      const status = await this.whatBecame();
      if (status === 'aborted') throw error;
      if (status !== 'committed') throw new OutcomeUnknown(error);
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
    const query = { text: 'SELECT pg_xact_status($1::text::xid8) AS status', values: [number] };
    try {
      const rows = await readOn<{ status: string }>(await lease(this.dataSource), query);
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
    await this.connection.query('ROLLBACK');
    clearTimeout(this.silence);
  }

  async exec(sql: string): Promise<void> {
    await this.connection.query(sql);
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
    await this.runner.release();
  }
}

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
