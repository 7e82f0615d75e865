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
 * The driver without its verbose mode, which TypeORM turns on for the whole process: each statement would format its
 * arguments and take a stack trace in case it fails, which costs more than the statement.
 */
const quietSqlite = Object.create(sqlite3, { verbose: { value: () => sqlite3 } }) as typeof sqlite3;

export const sqliteFile = (url: string): string => url.replace(/^sqlite:(\/\/)?/, '');

export const isSqlite = (url: string): boolean => url.startsWith('sqlite:');

/** Returns the name of a database and the place of its server, in words and without its password. */
export function serverDatabase(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  // The address of a socket names its folder in the query, or no place at all.
  const place = searchParams.get('host') ?? (decodeURIComponent(host) || 'this machine');
  return `${pathname.slice(1)} at ${place}`.trimStart();
}

const SCHEMA = { synchronize: false, namingStrategy: new ColumnNames() };

/**
 * Returns the TypeORM options of the database at this address. The schema comes from migrations, never from `synchronize`.
 * `lanes` is the number of transactions of this process that may write at once on PostgreSQL.
 */
export function dataSourceOptions(url: string, lanes = POSTGRES_LANES): DataSourceOptions {
  return isSqlite(url)
    ? { type: 'sqlite', database: sqliteFile(url), driver: quietSqlite, ...SCHEMA }
    : { type: 'postgres', url: withUser(url), poolSize: POSTGRES_READERS + lanes, ...SCHEMA };
}

/** Adds the name of the system's user to an address without one, as PostgreSQL's own clients do; the driver does not. */
export function withUser(url: string): string {
  const address = new URL(url);
  if (address.username !== '' || address.searchParams.has('user')) return address.toString();
  const { username } = userInfo();
  // The address of a socket has no host, and so no place for a user before it.
  if (address.hostname === '') address.searchParams.set('user', username);
  else address.username = username;
  return address.toString();
}

/** The server detects a peer without power or network within half a minute, and releases its locks. */
const NOTICED = { tcp_keepalives_idle: 10, tcp_keepalives_interval: 5, tcp_keepalives_count: 4 };

/** Settings of every pooled session; only the write gate begins transactions that may write. */
const SESSION = {
  default_transaction_read_only: 'on',
  // A process that is suspended in a transaction must not hold the writer lock for long …
  idle_in_transaction_session_timeout: 5_000,
  // … and one that waits for the lock fails before its unit of work exceeds its time limit.
  lock_timeout: 12_000,
  ...NOTICED,
};

/** Detects an unreachable server. */
const REACH = { connectionTimeoutMillis: 10_000, keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** Settings of the connection whose session lock proves that this process lives. */
export const presenceSettings = sessionOptions(NOTICED);

/** Throws `ConfigError` when the address is that of an unsuitable pooler: see `requireOwnSessions`. */
export async function requireUsable(url: string): Promise<void> {
  if (!isSqlite(url)) await requireOwnSessions(withUser(url), SESSION);
}

/** Initializes a data source. Throws `ConnectionLost` when PostgreSQL cannot be reached or refuses the login. */
export function initialize(dataSource: DataSource): Promise<DataSource> {
  if (dataSource.options.type === 'sqlite') return dataSource.initialize();
  return dataSource.initialize().catch((error: unknown) => {
    throw new ConnectionLost(error);
  });
}

const opened = new WeakMap<DataSource, Connections>();

/** Returns the connections that `openDataSource` made for this data source. */
export function connectionsOf(dataSource: DataSource): Connections {
  const connections = opened.get(dataSource);
  if (!connections) throw new Error('this data source was not opened by openDataSource');
  return connections;
}

/**
 * Opens the service's data source. Outside of the write gate every connection is read-only. A PostgreSQL server that does
 * not answer a read for `silenceMs` counts as gone; without `silenceMs` a read may take hours.
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

/** Stores the connections of a data source and makes TypeORM itself read through them. */
function register(dataSource: DataSource, connections: Connections): DataSource {
  opened.set(dataSource, connections);
  runThrough(dataSource, { all: (sql, parameters) => connections.read(sql, parameters) });
  return dataSource;
}

/** Reads bigint columns (instants and counts, all below 2^53) as numbers. */
async function readBigintsAsNumbers(): Promise<void> {
  const { default: pg } = await import('pg');
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
}
