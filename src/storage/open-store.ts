import type { Provider } from '@nestjs/common';
import { AppConfig } from '../common/app-config.js';
import { BlobStore } from './blob-store.js';
import { DiskStore } from './disk-store.js';

/** Returns the store that `STORAGE_URL` names, without connecting to it. */
export async function openStore({
  bucket,
  storageDir,
}: Pick<AppConfig, 'bucket' | 'storageDir'>): Promise<BlobStore> {
  if (!bucket) return new DiskStore(storageDir);
  const { S3Store } = await import('./s3-store.js');
  return S3Store.at(bucket, storageDir);
}

/** The provider of the store. */
export const blobStore: Provider = { provide: BlobStore, useFactory: openStore, inject: [AppConfig] };
