import { Global, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { BlobStore } from './blob-store.js';

/** Where bytes lie: photographs, renditions, reports, attachments. */
@Global()
@Module({ providers: [BlobStore], exports: [BlobStore] })
export class StorageModule implements OnApplicationBootstrap {
  constructor(
    private readonly store: BlobStore,
    private readonly clock: Clock,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.store.sweepDrafts(this.clock.now());
  }
}
