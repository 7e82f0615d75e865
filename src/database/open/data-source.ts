import { userInfo } from 'node:os';
import sqlite3 from 'sqlite3';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { ConnectionLost } from '../away.js';
import { ColumnNames } from '../column-names.js';
import type { Connections } from '../connections.js';
import { requireOwnSessions, sessionOptions } from '../postgres/own-sessions.js';
import { PostgresDatabase } from '../postgres/postgres-database.js';
import { leaseSqliteConnections, SqliteConnections } from '../sqlite/leased-connections.js';
import { SqliteDatabase } from '../sqlite/sqlite-database.js';
import { runThrough } from '../statement-runner.js';

/** Connections that read. */
const POSTGRES_READERS = 11;

const POSTGRES_LANES = 8;

/**
 * TypeORM switches the driver to its verbose mode, for the whole process: from then on each statement formats its
 * arguments and takes a stack trace in case it fails, which costs more than the statement.
 */
const quietSqlite = Object.create(sqlite3, { verbose: { value: () => sqlite3 } }) as typeof sqlite3;

export const sqliteFile = (url: string): string => url.replace(/^sqlite:(\/\/)?/, '');

export const isSqlite = (url: string): boolean => url.startsWith('sqlite:');

const SCHEMA = { synchronize: false, namingStrategy: new ColumnNames() };

/**
 * TypeORM options of the database at this address; the schema comes from migrations only, never from `synchronize`.
 * `lanes`: how many transactions of this process may write at once on PostgreSQL.
 */
export function dataSourceOptions(url: string, lanes = POSTGRES_LANES): DataSourceOptions {
  return isSqlite(url)
    ? { type: 'sqlite', database: sqliteFile(url), driver: quietSqlite, ...SCHEMA }
    : { type: 'postgres', url: withUser(url), poolSize: POSTGRES_READERS + lanes, ...SCHEMA };
}

/** PostgreSQL's own clients take the name of the system's user where an address has none; the driver does not. */
export function withUser(url: string): string {
  const address = new URL(url);
  if (address.username === '' && !address.searchParams.has('user')) address.username = userInfo().username;
  return address.toString();
}

/** A peer that lost its power or its network is detected within half a minute, and its locks are released. */
const NOTICED = { tcp_keepalives_idle: 10, tcp_keepalives_interval: 5, tcp_keepalives_count: 4 };

/** Every session of the pool; the write gate alone begins transactions that may write. */
const SESSION = {
  default_transaction_read_only: 'on',
  // A process that is suspended in the middle of a transaction must not hold the writer lock from all others …
  idle_in_transaction_session_timeout: 5_000,
  // … and one that waits for the lock beyond that fails, before its unit of work is out of time.
  lock_timeout: 12_000,
  ...NOTICED,
};

/** A server that is unreachable or gone is detected on our side too. */
const REACH = { connectionTimeoutMillis: 10_000, keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** Settings of the connection whose session lock proves that this process lives. */
export const presenceSettings = sessionOptions(NOTICED);

/** Throws `ConfigError` where this service cannot work through what answers at the address: see `requireOwnSessions`. */
export async function requireUsable(url: string): Promise<void> {
  if (!isSqlite(url)) await requireOwnSessions(withUser(url), SESSION);
}

/** Throws `ConnectionLost` where PostgreSQL cannot be reached, or refuses the login. */
export function initialize(dataSource: DataSource): Promise<DataSource> {
  if (dataSource.options.type === 'sqlite') return dataSource.initialize();
  return dataSource.initialize().catch((error: unknown) => {
    throw new ConnectionLost(error);
  });
}

const opened = new WeakMap<DataSource, Connections>();

/** The connections that `openDataSource` made for this data source. */
export function connectionsOf(dataSource: DataSource): Connections {
  const connections = opened.get(dataSource);
  if (!connections) throw new Error('this data source was not opened by openDataSource');
  return connections;
}

/**
 * Opens the service's data source: outside the write gate every connection of it is read-only. A PostgreSQL server that
 * does not answer a reading for `silenceMs` counts as gone; where that is not given, a reading may take hours.
 */
export async function openDataSource(options: DataSourceOptions, silenceMs?: number): Promise<DataSource> {
  if (options.type !== 'sqlite') {
    await readBigintsAsNumbers();
    // Pipelined: the write gate sends a statement behind the BEGIN without waiting for its answer.
    const extra = { options: sessionOptions(SESSION), pipeline: true, ...REACH };
    const dataSource = new DataSource({ ...options, extra });
    await initialize(dataSource);
    return register(
      dataSource,
      new PostgresDatabase(dataSource, options.poolSize! - POSTGRES_READERS, silenceMs),
    );
  }
  const dataSource = new DataSource(options);
  const connections = new SqliteConnections(options.database);
  leaseSqliteConnections(dataSource, connections);
  await initialize(dataSource);
  return register(dataSource, new SqliteDatabase(dataSource, connections));
}

/** Outside of the gate's transaction TypeORM itself only reads. */
function register(dataSource: DataSource, connections: Connections): DataSource {
  opened.set(dataSource, connections);
  runThrough(dataSource, { all: (sql, parameters) => connections.read(sql, parameters) });
  return dataSource;
}

/** Instants and counts are bigint columns; all of them stay below 2^53. Loads the driver only where it is used. */
async function readBigintsAsNumbers(): Promise<void> {
  const { default: pg } = await import('pg');
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
}
