import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../src/database/data-source.js';
import { migrate } from '../src/database/migrate.js';
import { type DatabaseKind, makePlace } from './support/databases.js';
import { postgresReachable } from './support/services.js';

type EntityClass = new () => object;

/** Every entity of the application, from the files that hold them. */
async function entityClasses(): Promise<EntityClass[]> {
  const sources = join(__dirname, '../src');
  const files = (readdirSync(sources, { recursive: true }) as string[]).filter((file) =>
    file.endsWith('.entity.ts'),
  );
  const modules = await Promise.all(
    files.map(async (file) => (await import(join(sources, file))) as Record<string, unknown>),
  );
  return modules
    .flatMap((module) => Object.values(module))
    .filter((exported): exported is EntityClass => typeof exported === 'function');
}

const sorted = (texts: Iterable<string>) => [...texts].sort();

describe.each<DatabaseKind>(['sqlite', 'postgres'])('the migrated schema on %s', (kind) => {
  it('is the one that the entities describe: the schema builder has nothing to do', async () => {
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

      const runner = dataSource.createQueryRunner();
      const tables = (await runner.getTables()).map((table) => table.name.replace('public.', ''));
      await runner.release();
      const described = dataSource.entityMetadatas.map((entity) => entity.tableName);
      expect(sorted(tables.filter((name) => name !== 'migrations' && !name.startsWith('sqlite_')))).toEqual(
        sorted(described),
      );
    } finally {
      await dataSource.destroy();
      await place.remove();
    }
  });
});
