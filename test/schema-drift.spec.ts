import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../src/database/open/data-source.js';
import { migrate } from '../src/database/open/migrate.js';
import { type DatabaseKind, databases, makePlace } from './support/databases.js';
import { entityClasses } from './support/entities.js';
import { postgresReachable } from './support/services.js';

/** `document_vectors` holds bytes, for which the two databases have no common type. */
const UNDESCRIBED: ReadonlySet<string> = new Set(['migrations', 'schema_baseline', 'document_vectors']);

const sorted = (texts: Iterable<string>) => [...texts].sort();

const TABLES: Record<DatabaseKind, string> = {
  sqlite: `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'`,
  postgres: `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
};

describe.each(databases)('the migrated schema on %s', (kind) => {
  it('matches the entities: the schema builder has nothing to do', async () => {
    if (kind === 'postgres' && !(await postgresReachable())) return;
    const place = await makePlace(kind);
    await migrate(place.databaseUrl);
    const dataSource = new DataSource({
      ...dataSourceOptions(place.databaseUrl),
      entities: await entityClasses(),
    });
    await dataSource.initialize();
    try {
      const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
      expect(upQueries.map((query) => query.query)).toEqual([]);

      const found = await dataSource.query<{ name: string }[]>(TABLES[kind]);
      const tables = found.map((table) => table.name).filter((name) => !UNDESCRIBED.has(name));
      const described = dataSource.entityMetadatas.map((entity) => entity.tableName);
      expect(sorted(tables)).toEqual(sorted(described));
    } finally {
      await dataSource.destroy();
      await place.remove();
    }
  });
});
