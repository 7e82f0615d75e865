import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { AppConfig } from '../common/app-config.js';
import { CONNECTIONS } from './connections.js';
import { DatabaseReader } from './database-reader.js';
import { connectionsOf, dataSourceOptions, openDataSource } from './open/data-source.js';
import { migrate } from './open/migrate.js';
import { AnnouncedSecrets } from './presence/announced-secrets.js';
import { ProcessPresence } from './presence/process-presence.js';
import { ProcessEntity } from './presence/process.entity.js';
import { WriteProbe } from './presence/write-probe.js';
import { LateWrites } from './writes/late-writes.js';
import { WriteGate } from './writes/write-gate.js';

/** The time limit of a read, so that a connection that hangs does not block its callers and the pool for ever. */
const READ_SILENCE_MS = 60_000;

/** One migrated database. Repositories and `DatabaseReader` read it; only `WriteGate` writes. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [AppConfig],
      useFactory: (config: AppConfig) => ({
        ...dataSourceOptions(config.databaseUrl, config.writeLanes),
        autoLoadEntities: true,
        retryAttempts: 0,
      }),
      dataSourceFactory: async (options?: DataSourceOptions) => {
        await migrate(
          options!.type === 'sqlite' ? `sqlite:${options.database}` : (options as { url: string }).url,
        );
        return openDataSource(options!, READ_SILENCE_MS);
      },
    }),
    TypeOrmModule.forFeature([ProcessEntity]),
  ],
  providers: [
    { provide: CONNECTIONS, inject: [DataSource], useFactory: connectionsOf },
    DatabaseReader,
    WriteGate,
    LateWrites,
    ProcessPresence,
    AnnouncedSecrets,
    WriteProbe,
  ],
  exports: [DatabaseReader, WriteGate, LateWrites, ProcessPresence, AnnouncedSecrets],
})
export class DatabaseModule {}
