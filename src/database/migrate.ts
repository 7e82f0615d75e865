import { dirname } from 'node:path';
import { DataSource } from 'typeorm';
import { makeLastingFolder } from '../common/lasting-folder.js';
import { dataSourceOptions, initialize, isSqlite, sqliteFile } from './data-source.js';
import { migrations } from './migrations.js';

/** One process migrates at a time; the others wait and then find nothing to do. */
const MIGRATION_LOCK = 0x5e17_1cf;

/**
 * Brings the schema to this version, in one transaction; SQLite's folder is made where it is missing, and lasts. A database that a newer version has migrated stops the start:
 * this version does not know what it would break.
 */
export async function migrate(url: string): Promise<void> {
  if (isSqlite(url)) await makeLastingFolder(dirname(sqliteFile(url)));
  const dataSource = new DataSource({
    ...dataSourceOptions(url),
    ...(isSqlite(url) ? { enableWAL: true, busyTimeout: 30_000 } : {}),
    entities: [],
    migrations,
    migrationsTableName: 'migrations',
  });
  await initialize(dataSource);
  try {
    await refuseNewer(dataSource);
    await (isSqlite(url) ? runOnSqlite(dataSource) : runOnPostgres(dataSource));
  } finally {
    await dataSource.destroy();
  }
}

async function executedNames(dataSource: DataSource): Promise<Set<string>> {
  const runner = dataSource.createQueryRunner();
  try {
    if (!(await runner.hasTable('migrations'))) return new Set();
    const rows = (await runner.query('SELECT name FROM migrations')) as { name: string }[];
    return new Set(rows.map((row) => row.name));
  } finally {
    await runner.release();
  }
}

async function refuseNewer(dataSource: DataSource): Promise<void> {
  const known = new Set(migrations.map((migration) => migration.name));
  const unknown = [...(await executedNames(dataSource))].filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new Error(
      `The database was migrated by a newer version of the service (${unknown.join(', ')}). ` +
        'Start that version, or restore a backup made before the upgrade.',
    );
  }
}

async function runOnPostgres(dataSource: DataSource): Promise<void> {
  const runner = dataSource.createQueryRunner();
  await runner.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
  try {
    await dataSource.runMigrations({ transaction: 'all' });
  } finally {
    await runner.query(`SELECT pg_advisory_unlock(${MIGRATION_LOCK})`);
    await runner.release();
  }
}

/** SQLite has no such lock: who lost the race finds the other's migrations done. */
async function runOnSqlite(dataSource: DataSource): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    if ((await executedNames(dataSource)).size === migrations.length) return;
    try {
      await dataSource.runMigrations({ transaction: 'all' });
      return;
    } catch (error) {
      if (attempt === 5) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200 * attempt));
    }
  }
}
