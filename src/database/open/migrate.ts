import { dirname } from 'node:path';
import { DataSource } from 'typeorm';
import { makeLastingFolder } from '../../common/lasting-folder.js';
import { migrations } from '../migrations/migrations.js';
import { WRITER_LOCK } from '../postgres/postgres-gate.js';
import { dataSourceOptions, initialize, isSqlite, requireUsable, sqliteFile } from './data-source.js';
import { migrationsOf, missingMigrations } from './schema-version.js';

/** One process migrates at a time; the others wait and then find nothing to do. */
const MIGRATION_LOCK = 0x5e17_1cf;

/**
 * Brings the schema to this version, in one transaction; a missing folder of SQLite is made durably. Throws `WrongSchema`
 * for a database of a newer version or of another program, and `ConfigError` for an address of a pooler that parts sessions:
 * either stops the start.
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
    // Processes that serve meanwhile write before or after it, never between: their locks and its own could deadlock.
    await runner.query(`SELECT pg_advisory_lock(${WRITER_LOCK})`);
    await dataSource.runMigrations({ transaction: 'all' });
  } finally {
    await runner.query('SELECT pg_advisory_unlock_all()');
    await runner.release();
  }
}

/**
 * SQLite has no such lock: the process that lost the race finds the migrations done. The change to WAL is refused at once
 * while another process has the file open in its former mode, whatever the busy timeout.
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
