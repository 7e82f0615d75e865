import type { DataSource } from 'typeorm';
import { type Dialect, dialectOf } from '../migrations/migration.js';
import { baselineHash, migrations } from '../migrations/migrations.js';

/** This version cannot use the database; the message says why and what to do. */
export class WrongSchema extends Error {}

const COLUMNS: Record<Dialect, (table: string) => string> = {
  sqlite: (table) => `SELECT name AS "column" FROM pragma_table_info('${table}')`,
  postgres: (table) => `SELECT column_name AS "column" FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = '${table}'`,
};

/**
 * Returns the migrations of this version that the database has had; none for a new database. Throws `WrongSchema` for a
 * database of another program, one with another baseline, and one that a newer version has migrated, which this version
 * could damage.
 */
export async function migrationsOf(dataSource: DataSource): Promise<ReadonlySet<string>> {
  const columns = await columnsOf(dataSource, 'migrations');
  if (columns.length === 0) return new Set();
  if (!columns.includes('name')) throw new WrongSchema(OTHER_PROGRAM);
  const names = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations');
  const known = new Set(migrations.map(({ name }) => name));
  const had = new Set(names.map(({ name }) => name).filter((name) => known.has(name)));
  const unknown = names.map(({ name }) => name).filter((name) => !known.has(name));
  if (unknown.length > 0 && had.size === 0) throw new WrongSchema(OTHER_PROGRAM);
  if (had.size > 0 && !(await hasOurBaseline(dataSource))) throw new WrongSchema(OTHER_BASELINE);
  if (unknown.length > 0)
    throw new WrongSchema(
      `The database was migrated by a newer version of the service (${unknown.join(', ')}). ` +
        'Start that version, or restore a backup made before the upgrade.',
    );
  return had;
}

/** Returns the names of the migrations that the database lacks. */
export const missingMigrations = (had: ReadonlySet<string>): string[] =>
  migrations.map(({ name }) => name).filter((name) => !had.has(name));

async function columnsOf(dataSource: DataSource, table: string): Promise<string[]> {
  const query = COLUMNS[dialectOf(dataSource.options.type)](table);
  return (await dataSource.query<{ column: string }[]>(query)).map(({ column }) => column);
}

async function hasOurBaseline(dataSource: DataSource): Promise<boolean> {
  if ((await columnsOf(dataSource, 'schema_baseline')).length === 0) return false;
  const [row] = await dataSource.query<{ hash: string }[]>('SELECT hash FROM schema_baseline');
  return row?.hash === baselineHash(dialectOf(dataSource.options.type));
}

const OTHER_PROGRAM =
  'The database belongs to another program: its table "migrations" has none of this service. Name a database for this service alone in DATABASE_URL.';

const OTHER_BASELINE =
  'The database was made with another schema, which this version of the service cannot migrate: start the version that made it, or name an empty database in DATABASE_URL.';
