import type { Provider } from '@nestjs/common';
import { AppConfig } from '../common/app-config.js';
import { BlobStore } from './blob-store.js';
import { DiskStore } from './disk-store.js';

/** The store that `STORAGE_URL` names; nothing is asked of it yet. */
export async function openStore({ storageDir }: Pick<AppConfig, 'storageDir'>): Promise<BlobStore> {
  return new DiskStore(storageDir);
}

/** The store of a module. */
export const blobStore: Provider = { provide: BlobStore, useFactory: openStore, inject: [AppConfig] };
