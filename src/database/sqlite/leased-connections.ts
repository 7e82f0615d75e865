import { getLoadablePath } from 'sqlite-vec';
import type { DataSource } from 'typeorm';
import { PATIENT_MS } from './busy-timeout.js';
import { SqliteConnection, SqlitePool } from './sqlite-connections.js';

/** The part of TypeORM's SQLite driver that is replaced, because it shares one connection among all callers. */
interface DriverInternals {
  createDatabaseConnection(): Promise<unknown>;
  disconnect(): Promise<void>;
}

const READERS = 3;
const PATIENCE_MS = 30_000;

/** Memory-mapped part of the file: a search through all vectors of a store then takes half the processor time. */
const MAPPED_BYTES = 1024 * 1024 * 1024;

/** The connections of a SQLite database: one writer, which belongs to the write gate, and a few readers. */
export class SqliteConnections {
  readonly readers: SqlitePool;
  private writer: Promise<SqliteConnection> | undefined;

  constructor(private readonly file: string) {
    const pragmas = [
      ...['busy_timeout = 10000', 'foreign_keys = ON', 'query_only = ON', 'cache_size = -8000'],
      `mmap_size = ${MAPPED_BYTES}`,
    ];
    this.readers = new SqlitePool(READERS, () => this.open(pragmas), PATIENCE_MS);
  }

  /** Opens the writer with WAL and `synchronous=FULL`, so that acknowledged writes survive a power cut. */
  openWriter(): Promise<SqliteConnection> {
    return (this.writer ??= this.openAndCheckWriter());
  }

  async close(): Promise<void> {
    await this.readers.close();
    if (this.writer) await (await this.writer).close();
    this.writer = undefined;
  }

  private async open(pragmas: readonly string[]): Promise<SqliteConnection> {
    const connection = await SqliteConnection.open(this.file, pragmas);
    await loadVectorSearch(connection);
    return connection;
  }

  private async openAndCheckWriter(): Promise<SqliteConnection> {
    const connection = await this.open([
      `busy_timeout = ${PATIENT_MS}`,
      'journal_mode = WAL',
      'synchronous = FULL',
      'foreign_keys = ON',
    ]);
    // Read back, because a PRAGMA fails silently.
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

/** Prevents the driver from opening a connection that all callers would share. */
export function leaseSqliteConnections(dataSource: DataSource, connections: SqliteConnections): void {
  const driver = dataSource.driver as unknown as DriverInternals;
  // The driver opens a connection at connect(); it gets the writer, which connections.close() closes.
  driver.createDatabaseConnection = async () => (await connections.openWriter()).database;
  driver.disconnect = () => connections.close();
}

/**
 * Loads `sqlite-vec` into a connection, which adds `vec0` tables. Does nothing on a system without that library; `SELECT
 * vec_version()` fails there.
 */
async function loadVectorSearch({ database }: SqliteConnection): Promise<void> {
  await new Promise<void>((resolve) => {
    try {
      database.loadExtension(getLoadablePath(), () => resolve());
    } catch {
      resolve();
    }
  });
}
