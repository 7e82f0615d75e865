import { dirname } from 'node:path';
import { DataSource } from 'typeorm';
import { makeLastingFolder } from '../../common/lasting-folder.js';
import { migrations } from '../migrations/migrations.js';
import { WRITER_LOCK } from '../postgres/postgres-gate.js';
import { dataSourceOptions, initialize, isSqlite, requireUsable, sqliteFile } from './data-source.js';
import { migrationsOf, missingMigrations } from './schema-version.js';

/** The lock of the process that migrates; others wait and then find nothing to do. */
const MIGRATION_LOCK = 0x5e17_1cf;

/**
 * Brings the schema to this version in one transaction, and creates a missing folder of SQLite durably. Throws
 * `WrongSchema` for a database of a newer version or another program, and `ConfigError` for a pooler that shares sessions.
 */
export async function migrate(url: string): Promise<void> {
  await requireUsable(url);
  if (isSqlite(url)) await makeLastingFolder(dirname(sqliteFile(url)));
  const dataSource = new DataSource({
    ...dataSourceOptions(url),
    ...(isSqlite(url) ? { busyTimeout: 30_000 } : {}),
    entities: [],
    migrations,
    migrationsTableName: 'migrations',
  });
  await initialize(dataSource);
  try {
    await migrationsOf(dataSource);
    await (isSqlite(url) ? runOnSqlite(dataSource) : runOnPostgres(dataSource));
  } finally {
    await dataSource.destroy();
  }
}

async function runOnPostgres(dataSource: DataSource): Promise<void> {
  const runner = dataSource.createQueryRunner();
  await runner.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
  try {
    if (missingMigrations(await migrationsOf(dataSource)).length === 0) return;
    // Excludes the writes of running processes: their locks and those of the migration could deadlock.
    await runner.query(`SELECT pg_advisory_lock(${WRITER_LOCK})`);
    await dataSource.runMigrations({ transaction: 'all' });
  } finally {
    await runner.query('SELECT pg_advisory_unlock_all()');
    await runner.release();
  }
}

/**
 * Migrates SQLite with retries, because it has no such lock: the process that lost the race finds the migrations done. The
 * change to WAL fails at once while another process has the file open in its former mode, whatever the busy timeout.
 */
async function runOnSqlite(dataSource: DataSource): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await dataSource.query('PRAGMA journal_mode = WAL');
      if (missingMigrations(await migrationsOf(dataSource)).length === 0) return;
      await dataSource.runMigrations({ transaction: 'all' });
      return;
    } catch (error) {
      if (attempt === 5) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200 * attempt));
    }
  }
}
