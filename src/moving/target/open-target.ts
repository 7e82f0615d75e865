import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { ApiKeys } from '../../auth/api-keys/api-keys.js';
import { AppConfig, ConfigError } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { ConnectionLost } from '../../database/away.js';
import { DatabaseReader } from '../../database/database-reader.js';
import {
  dataSourceOptions,
  initialize,
  isSqlite,
  openDataSource,
  serverDatabase,
  sqliteFile,
} from '../../database/open/data-source.js';
import { migrate } from '../../database/open/migrate.js';
import { WrongSchema, migrationsOf, missingMigrations } from '../../database/open/schema-version.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { DocumentStores } from '../../documents/stores/document-stores.js';
import { Credentials } from '../../flows/credentials/credentials.js';
import { NodeKindRegistry } from '../../flows/definition/node-kind-registry.js';
import { FlowStore } from '../../flows/store/flow-store.js';
import { FlowWrites } from '../../flows/store/flow-writes.js';
import { BlobStore } from '../../storage/blob-store.js';
import { headOf } from '../../storage/foreign-files.js';
import { temporaryFolder } from '../../storage/temporary-folder.js';
import { WrongInput } from '../source/move-source.js';
import { ConsiderateWrites } from './considerate-writes.js';
import type { MoveTarget } from './move-target.js';
import { MOVED_ENTITIES, TargetModule } from './target.module.js';

const quiet = new Logger('silent');

/**
 * Opens this side of a move. Like a start, it migrates the database and creates the secrets; a dry run does neither. Throws
 * `WrongInput` if this side cannot be written to; then nothing was moved.
 */
export async function openTarget(config: AppConfig, { dryRun }: { dryRun: boolean }): Promise<MoveTarget> {
  try {
    return await (dryRun ? openDryTarget(config) : openWholeTarget(config));
  } catch (error) {
    throw new WrongInput(`Nothing was moved. ${describeFailure(config, error)}`);
  }
}

async function openWholeTarget(config: AppConfig): Promise<MoveTarget> {
  await migrate(config.databaseUrl);
  const secrets = await Secrets.open(config, quiet);
  const target = await targetAt(config, secrets);
  const fault = await target.credentials.keyFault();
  if (fault === undefined) return target;
  await target.close();
  throw new ConfigError([fault]);
}

/**
 * Opens this side for a dry run without changing or creating anything: with temporary secrets and, if there is no database
 * yet, a temporary empty one.
 */
async function openDryTarget(config: AppConfig): Promise<MoveTarget> {
  const folder = await temporaryFolder();
  try {
    const elsewhere = AppConfig.from({ DATA_DIR: folder.path });
    const isThere = await hasDatabase(config.databaseUrl);
    if (!isThere) await migrate(elsewhere.databaseUrl);
    const target = await targetAt(isThere ? config : elsewhere, await Secrets.open(elsewhere, quiet));
    return {
      ...target,
      close: async () => {
        await target.close();
        await folder.remove();
      },
    };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

async function targetAt(config: AppConfig, secrets: Secrets): Promise<MoveTarget> {
  const dataSource = await openDataSource({
    ...dataSourceOptions(config.databaseUrl),
    entities: MOVED_ENTITIES as never,
  });
  const module = TargetModule.over(config, secrets, dataSource);
  const context = await NestFactory.createApplicationContext(module, {
    logger: false,
    abortOnError: false,
  });
  const clock = context.get(Clock);
  return {
    config,
    clock,
    reader: context.get(DatabaseReader),
    writes: new ConsiderateWrites(context.get(WriteGate), clock),
    flows: flowsOf(context.get(FlowStore), context.get(FlowWrites)),
    kinds: context.get(NodeKindRegistry).all,
    apiKeys: context.get(ApiKeys),
    credentials: context.get(Credentials),
    stores: context.get(DocumentStores),
    blobs: context.get(BlobStore),
    close: async () => {
      await context.close();
      await dataSource.destroy();
    },
  };
}

/**
 * Resolves to true if a service has been started on this database. Throws `WrongSchema` if it was of another version, whose
 * database a dry run can neither migrate nor read.
 */
async function hasDatabase(url: string): Promise<boolean> {
  if (isSqlite(url) && !((await headOf(sqliteFile(url), 0))?.size ?? 0)) return false;
  // Not by the service's own connections, which would set any file to WAL.
  const dataSource = await initialize(new DataSource(dataSourceOptions(url)));
  try {
    const had = await migrationsOf(dataSource);
    const missing = missingMigrations(had);
    if (had.size > 0 && missing.length > 0) throw new WrongSchema(OLDER);
    return had.size > 0;
  } finally {
    await dataSource.destroy();
  }
}

const OLDER =
  'The database is of an older version of the service, which a dry run does not migrate. Back it up and start this version once (npm start) to migrate it, then try again; or move without --dry-run, which migrates it too.';

/** Says why this side could not be opened and what to do, without the password of an address. */
function describeFailure({ databaseUrl }: Pick<AppConfig, 'databaseUrl'>, error: unknown): string {
  const name = describeDatabase(databaseUrl);
  if (error instanceof WrongSchema) return `${name}: ${error.message}`;
  if (error instanceof ConfigError) return error.faults.join(' ');
  const { code, message } = (error instanceof ConnectionLost ? error.cause : error) as NodeJS.ErrnoException;
  return `${name} cannot be opened (${message || String(code)}). Check that DATABASE_URL or DATA_DIR names the database of this service, and that it is writable.`;
}

function describeDatabase(url: string): string {
  if (isSqlite(url)) return `This side's database ${sqliteFile(url)}`;
  return `This side's database ${serverDatabase(url)}`;
}

const flowsOf = (store: FlowStore, writes: FlowWrites): MoveTarget['flows'] => ({
  changedAt: (id) => store.changedAt(id),
  adopt: (id, definition, dates) => writes.adopt(id, definition, dates),
});
