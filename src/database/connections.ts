import type { DataSource, QueryRunner } from 'typeorm';
import type { PoolClient, Pool } from 'pg';
import { type SqliteConnections, writingRunner } from './leased-runner.js';
import type { SqliteConnection } from './sqlite-connections.js';
import { numberPlaceholders, type SqlValue } from './tx.js';

/** One database as the gate and the reader use it: the only place that knows which of the two it is. */
export interface Connections {
  /** The runner that the write gate owns. */
  openGate(): Promise<GateConnection>;
  read<Row>(sql: string, parameters: readonly SqlValue[]): Promise<Row[]>;
}

/** The gate's connection: plain statements and the boundaries of a transaction. */
export interface GateConnection {
  readonly runner: QueryRunner;
  begin(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** One or more statements without parameters, in one step. */
  exec(sql: string): Promise<void>;
  all(sql: string, parameters: readonly SqlValue[]): Promise<unknown[]>;
  run(sql: string, parameters: readonly SqlValue[]): Promise<number>;
  release(): Promise<void>;
}

/** TypeORM keeps these on the runner; they tell a nested `save()` to use a savepoint instead of a transaction. */
interface RunnerInternals {
  isTransactionActive: boolean;
  transactionDepth: number;
}

const mark = (runner: QueryRunner, open: boolean): void => {
  const internals = runner as unknown as RunnerInternals;
  internals.isTransactionActive = open;
  internals.transactionDepth = open ? 1 : 0;
};

export class SqliteDatabase implements Connections {
  constructor(
    private readonly dataSource: DataSource,
    private readonly connections: SqliteConnections,
  ) {}

  async openGate(): Promise<GateConnection> {
    const connection = await this.connections.openWriter();
    return new SqliteGate(writingRunner(this.dataSource, this.connections), connection, this.dataSource);
  }

  async read<Row>(sql: string, parameters: readonly SqlValue[]): Promise<Row[]> {
    this.dataSource.logger.logQuery(sql, parameters as unknown[]);
    const connection = await this.connections.readers.lease();
    try {
      return (await connection.all(sql, parameters)) as Row[];
    } finally {
      this.connections.readers.release(connection);
    }
  }
}

class SqliteGate implements GateConnection {
  constructor(
    readonly runner: QueryRunner,
    private readonly connection: SqliteConnection,
    private readonly dataSource: DataSource,
  ) {}

  async begin(): Promise<void> {
    await this.connection.run('BEGIN IMMEDIATE', []);
    mark(this.runner, true);
  }

  async commit(): Promise<void> {
    await this.connection.run('COMMIT', []);
    mark(this.runner, false);
  }

  async rollback(): Promise<void> {
    mark(this.runner, false);
    await this.connection.run('ROLLBACK', []);
  }

  exec(sql: string): Promise<void> {
    return this.connection.exec(sql);
  }

  all(sql: string, parameters: readonly SqlValue[]): Promise<unknown[]> {
    this.dataSource.logger.logQuery(sql, parameters as unknown[]);
    return this.connection.all(sql, parameters);
  }

  run(sql: string, parameters: readonly SqlValue[]): Promise<number> {
    this.dataSource.logger.logQuery(sql, parameters as unknown[]);
    return this.connection.run(sql, parameters);
  }

  async release(): Promise<void> {
    // The connection belongs to SqliteConnections and is closed with the data source.
  }
}

/** Held by the writing transaction, so that PostgreSQL, like SQLite, has one writer at a time over all processes. */
const WRITER_LOCK = 0x5e17_1ce;

export class PostgresDatabase implements Connections {
  constructor(private readonly dataSource: DataSource) {}

  async openGate(): Promise<GateConnection> {
    const runner = this.dataSource.createQueryRunner('master');
    const client = (await runner.connect()) as PoolClient;
    return new PostgresGate(runner, client, this.dataSource);
  }

  async read<Row>(sql: string, parameters: readonly SqlValue[]): Promise<Row[]> {
    this.dataSource.logger.logQuery(sql, parameters as unknown[]);
    const pool = (this.dataSource.driver as unknown as { master: Pool }).master;
    return (await pool.query(statement(sql, parameters))).rows as Row[];
  }
}

class PostgresGate implements GateConnection {
  constructor(
    readonly runner: QueryRunner,
    private readonly client: PoolClient,
    private readonly dataSource: DataSource,
  ) {}

  async begin(): Promise<void> {
    // Every other connection is read-only by default; one round trip begins and takes the writer's turn.
    await this.client.query(`BEGIN READ WRITE; SELECT pg_advisory_xact_lock(${WRITER_LOCK})`);
    mark(this.runner, true);
  }

  async commit(): Promise<void> {
    await this.client.query('COMMIT');
    mark(this.runner, false);
  }

  async rollback(): Promise<void> {
    mark(this.runner, false);
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
    await this.runner.release();
  }
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
