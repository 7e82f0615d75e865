import { type DataSource, type QueryRunner, type ReplicationMode } from 'typeorm';
import { SqliteQueryRunner } from 'typeorm/driver/sqlite/SqliteQueryRunner.js';
import { SqliteConnection, SqlitePool } from './sqlite-connections.js';
import { PATIENT_MS } from './turn-patience.js';

/** What of TypeORM's SQLite driver is replaced: it hands ONE query runner to every caller. */
interface DriverInternals {
  databaseConnection: unknown;
  createQueryRunner(mode?: ReplicationMode): QueryRunner;
  createDatabaseConnection(): Promise<unknown>;
  disconnect(): Promise<void>;
}

const READERS = 3;
const PATIENCE_MS = 30_000;

/** The connections of one SQLite database: one that writes, which belongs to the write gate, and a few that only read. */
export class SqliteConnections {
  readonly readers: SqlitePool;
  private writer: Promise<SqliteConnection> | undefined;

  constructor(private readonly file: string) {
    const pragmas = ['busy_timeout = 10000', 'foreign_keys = ON', 'query_only = ON', 'cache_size = -8000'];
    this.readers = new SqlitePool(READERS, () => SqliteConnection.open(file, pragmas), PATIENCE_MS);
  }

  /** WAL with `synchronous=FULL`: what was acknowledged survives a power cut. Read back, because a PRAGMA fails silently. */
  openWriter(): Promise<SqliteConnection> {
    return (this.writer ??= this.openAndCheckWriter());
  }

  async close(): Promise<void> {
    await this.readers.close();
    if (this.writer) await (await this.writer).close();
    this.writer = undefined;
  }

  private async openAndCheckWriter(): Promise<SqliteConnection> {
    const connection = await SqliteConnection.open(this.file, [
      `busy_timeout = ${PATIENT_MS}`,
      'journal_mode = WAL',
      'synchronous = FULL',
      'foreign_keys = ON',
    ]);
    for (const [pragma, expected] of [
      ['journal_mode', 'wal'],
      ['synchronous', 2],
      ['foreign_keys', 1],
    ] as const) {
      const [row] = (await connection.all(`PRAGMA ${pragma}`, [])) as Record<string, unknown>[];
      if (row?.[pragma] !== expected) throw new Error(`SQLite did not accept ${pragma} = ${expected}`);
    }
    return connection;
  }
}

/** A query runner with a connection of its own: repositories outside the gate get one that the database itself keeps from writing. */
class ReadingRunner extends SqliteQueryRunner {
  private lease: Promise<SqliteConnection> | undefined;

  constructor(
    driver: unknown,
    private readonly pool: SqlitePool,
  ) {
    super(driver as never);
  }

  override async connect(): Promise<unknown> {
    this.lease ??= this.pool.lease();
    return (await this.lease).database;
  }

  override async release(): Promise<void> {
    if (this.isReleased) return;
    await super.release();
    (this as { isReleased: boolean }).isReleased = true;
    const connection = await this.lease?.catch(() => undefined);
    if (!connection) return;
    if (this.isTransactionActive) await connection.exec('ROLLBACK').catch(() => undefined);
    this.pool.release(connection);
  }
}

/** The write gate's runner, over the one connection that writes. */
class WritingRunner extends SqliteQueryRunner {
  constructor(
    driver: unknown,
    private readonly connections: SqliteConnections,
  ) {
    super(driver as never);
  }

  override async connect(): Promise<unknown> {
    return (await this.connections.openWriter()).database;
  }
}

/** Gives every caller of this data source a leased connection instead of the driver's single shared one. */
export function leaseSqliteConnections(dataSource: DataSource, connections: SqliteConnections): void {
  const driver = dataSource.driver as unknown as DriverInternals;
  driver.createQueryRunner = () => new ReadingRunner(driver, connections.readers);
  // The driver wants a connection of its own at connect(); it gets the writer, which connections.close() closes.
  driver.createDatabaseConnection = async () => (await connections.openWriter()).database;
  driver.disconnect = () => connections.close();
}

/** The gate's runner, with the entity manager that TypeORM gives only to runners of its own making. */
export function writingRunner(dataSource: DataSource, connections: SqliteConnections): QueryRunner {
  const runner = new WritingRunner(dataSource.driver, connections) as unknown as QueryRunner;
  return Object.assign(runner, { manager: dataSource.createEntityManager(runner) });
}
