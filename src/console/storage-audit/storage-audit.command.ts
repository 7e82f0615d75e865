import 'reflect-metadata';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { connectionsOf } from '../../database/open/data-source.js';
import { openExisting } from '../../database/open/open-existing.js';
import type { BlobStore } from '../../storage/blob-store.js';
import { openStore } from '../../storage/open-store.js';
import {
  auditStorage,
  doubtOf,
  type KindAudit,
  megabytes,
  removeRuns,
  storageReport,
} from './storage-audit.js';

/**
 * `npm run storage:audit [-- --set-aside | --remove-runs]`: compares the blobs of the store with the rows that name them, while
 * the service runs or not. Exit code 1 if the store and the database may not belong together; then nothing is moved.
 */
async function run(): Promise<void> {
  const config = AppConfig.fromProcess();
  const store = await openStore(config);
  const dataSource = await openExisting(config.databaseUrl);
  try {
    const audits = await auditStorage(
      store,
      new DatabaseReader(connectionsOf(dataSource)),
      new Clock().now(),
    );
    process.stdout.write(storageReport(audits));
    const doubt = doubtOf(audits);
    if (doubt !== undefined) {
      process.stdout.write(`doubtful: ${doubt}. Is this the store of this database? Nothing was moved.\n`);
      process.exitCode = 1;
    } else if (process.argv.includes('--remove-runs')) {
      process.stdout.write(`deleted: ${megabytes(await removeRuns(store, audits))}\n`);
    } else if (process.argv.includes('--set-aside')) {
      process.stdout.write(`moved to ${store.setAsidePath}: ${megabytes(await setAside(store, audits))}\n`);
    }
  } finally {
    await dataSource.destroy();
  }
}

/** Returns the number of bytes moved out of the store. */
async function setAside(store: BlobStore, audits: readonly KindAudit[]): Promise<number> {
  let moved = 0;
  for (const { key, bytes } of audits.flatMap(({ unnamed }) => unnamed)) {
    await store.setAside(key);
    moved += bytes;
  }
  return moved;
}

run().catch((error: unknown) => {
  process.stderr.write(`The store could not be audited: ${(error as Error).message}\n`);
  process.exitCode = 2;
});
