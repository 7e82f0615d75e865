import type { DataSource } from 'typeorm';
import { AppConfig } from '../../src/common/app-config.js';
import { Clock } from '../../src/common/clock.js';
import { Logger } from '../../src/common/logger.js';
import { DatabaseReader } from '../../src/database/database-reader.js';
import { connectionsOf, dataSourceOptions, openDataSource } from '../../src/database/open/data-source.js';
import { migrate } from '../../src/database/open/migrate.js';
import { ProcessPresence } from '../../src/database/presence/process-presence.js';
import { WriteGate } from '../../src/database/writes/write-gate.js';
import { type DatabaseKind, makePlace, type TestPlace } from './databases.js';
import { type EntityClass, entityClasses } from './entities.js';

/** A migrated database of its own, and the parts that modules need of it. */
export interface TestDatabase {
  place: TestPlace;
  config: AppConfig;
  logger: Logger;
  dataSource: DataSource;
  gate: WriteGate;
  reader: DatabaseReader;
  presence: ProcessPresence;
  close(options?: { keep?: boolean }): Promise<void>;
}

export interface TestDatabaseOptions {
  place?: TestPlace;
  /** The application's by default. */
  entities?: EntityClass[];
  env?: Record<string, string>;
}

/** Opens a fresh database, or joins the database at `place` as one more process. */
export async function openTestDatabase(
  kind: DatabaseKind = 'sqlite',
  options: TestDatabaseOptions = {},
): Promise<TestDatabase> {
  const place = options.place ?? (await makePlace(kind, { migrated: true }));
  const config = AppConfig.from({
    DATA_DIR: place.dataDir,
    DATABASE_URL: place.databaseUrl,
    LOG_LEVEL: 'silent',
    ...options.env,
  });
  const logger = new Logger('silent');
  await migrate(place.databaseUrl);
  const dataSource = await openDataSource({
    ...dataSourceOptions(place.databaseUrl, config.writeLanes),
    entities: options.entities ?? (await entityClasses()),
  });
  const connections = connectionsOf(dataSource);
  const gate = new WriteGate(connections);
  const presence = new ProcessPresence(config, logger, new Clock());
  await presence.onModuleInit();
  return {
    place,
    config,
    logger,
    dataSource,
    gate,
    reader: new DatabaseReader(connections),
    presence,
    close: async ({ keep = false } = {}) => {
      await gate.beforeApplicationShutdown();
      await presence.onApplicationShutdown();
      await dataSource.destroy();
      if (!keep) await place.remove();
    },
  };
}
