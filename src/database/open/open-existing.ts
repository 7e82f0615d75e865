import type { DataSource } from 'typeorm';
import { pathExists } from '../../common/lasting-folder.js';
import { dataSourceOptions, isSqlite, openDataSource, sqliteFile } from './data-source.js';
import { migrationsOf, missingMigrations, WrongSchema } from './schema-version.js';

/**
 * Opens the database of a service for a command beside it, and creates nothing. Throws `WrongSchema` where there is none, or
 * one of another version.
 */
export async function openExisting(url: string): Promise<DataSource> {
  if (isSqlite(url) && !(await pathExists(sqliteFile(url))))
    throw new WrongSchema(`There is no database ${sqliteFile(url)}. ${NAME_IT}`);
  const dataSource = await openDataSource(dataSourceOptions(url));
  try {
    const had = await migrationsOf(dataSource);
    if (had.size === 0) throw new WrongSchema(`The database is empty. ${NAME_IT}`);
    if (missingMigrations(had).length > 0) throw new WrongSchema(OLDER);
    return dataSource;
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}

const NAME_IT = 'Set DATA_DIR or DATABASE_URL as the service has them.';

const OLDER =
  'The database is of an older version of the service. Start this version once (npm start) to migrate it.';
