import type { DataSource } from 'typeorm';
import { migrations } from './migrations.js';

/** A database that this version cannot use as it is; the sentence says why, and what to do. */
export class WrongSchema extends Error {}

const COLUMNS = {
  sqlite: `SELECT name AS "column" FROM pragma_table_info('migrations')`,
  postgres: `SELECT column_name AS "column" FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = 'migrations'`,
};

/**
 * The migrations of this version that the database has had; none where no service was ever started on it. Throws
 * `WrongSchema` for one that a newer version has migrated, which this version could damage unknowingly, and for one whose
 * table `migrations` is another program's.
 */
export async function migrationsOf(dataSource: DataSource): Promise<ReadonlySet<string>> {
  const isSqlite = dataSource.options.type === 'sqlite';
  const columns = await dataSource.query<{ column: string }[]>(COLUMNS[isSqlite ? 'sqlite' : 'postgres']);
  if (columns.length === 0) return new Set();
  if (!columns.some(({ column }) => column === 'name')) throw ofAnotherProgram();
  const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations');
  const known = new Set(migrations.map(({ name }) => name));
  const had = new Set(rows.map(({ name }) => name).filter((name) => known.has(name)));
  const unknown = rows.map(({ name }) => name).filter((name) => !known.has(name));
  if (unknown.length > 0 && had.size === 0) throw ofAnotherProgram();
  if (unknown.length > 0)
    throw new WrongSchema(
      `The database was migrated by a newer version of the service (${unknown.join(', ')}). ` +
        'Start that version, or restore a backup made before the upgrade.',
    );
  return had;
}

/** The names of those that it has still to have. */
export const missingMigrations = (had: ReadonlySet<string>): string[] =>
  migrations.map(({ name }) => name).filter((name) => !had.has(name));

const ofAnotherProgram = (): WrongSchema =>
  new WrongSchema(
    'The database is that of another program: its table "migrations" names none of this service. Name one of its own in DATABASE_URL.',
  );
