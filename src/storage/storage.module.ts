import { Global, Module, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { AppConfig, ConfigError } from '../common/app-config.js';
import { Clock } from '../common/clock.js';
import { BlobStore } from './blob-store.js';

const PATIENCE_MS = 5_000;

/** Where bytes lie: photographs, renditions, reports, attachments. */
@Global()
@Module({ providers: [BlobStore], exports: [BlobStore] })
export class StorageModule implements OnModuleInit, OnApplicationBootstrap {
  constructor(
    private readonly store: BlobStore,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /** A store that cannot be written to stops the start. On some file systems a `mkdir` never returns (/proc). */
  async onModuleInit(): Promise<void> {
    const { storageDir } = this.config;
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('no answer')), PATIENCE_MS);
    });
    try {
      await Promise.race([this.store.probe(), tooLate]);
    } catch (error) {
      const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
      throw new ConfigError([`STORAGE_URL: files cannot be written in ${storageDir} (${reason})`]);
    } finally {
      clearTimeout(timer);
    }
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.store.sweepDrafts(this.clock.now());
  }
}
