import { Global, Module, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { ConfigError } from '../common/app-config.js';
import { Clock } from '../common/clock.js';
import { BlobStore } from './blob-store.js';
import { blobStore } from './open-store.js';
import { StoredBytes } from './stored-bytes.js';

/** Storage of bytes: photographs, renditions, reports, attachments. */
@Global()
@Module({ providers: [blobStore, StoredBytes], exports: [BlobStore, StoredBytes] })
export class StorageModule implements OnModuleInit, OnApplicationBootstrap {
  constructor(
    private readonly store: BlobStore,
    private readonly clock: Clock,
  ) {}

  /** Stops the start if the store cannot be written to. */
  async onModuleInit(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('no answer')), this.store.probeMs);
    });
    try {
      await Promise.race([this.store.probe(), tooLate]);
    } catch (error) {
      throw new ConfigError([`STORAGE_URL: ${this.store.refusal(error)}`]);
    } finally {
      clearTimeout(timer);
    }
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.store.sweepDrafts(this.clock.fileNow());
  }
}
