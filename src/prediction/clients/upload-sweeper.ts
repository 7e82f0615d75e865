import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Logger } from '../../common/logger.js';
import { Periodic } from '../../common/periodic.js';
import { RunInputs } from '../run/run-inputs.js';
import { ChatFiles } from './chat-files.js';
import { ChatUploads } from './chat-uploads.js';

const EVERY_MS = 3_600_000;

/** Deletes photographs without a message, texts of deleted flows and files of deleted runs, hourly. */
@Injectable()
export class UploadSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly sweeps: readonly Periodic<number>[];

  constructor(uploads: ChatUploads, files: ChatFiles, inputs: RunInputs, logger: Logger) {
    const failed = (error: unknown) =>
      logger.error({ err: error }, 'attached files were not swept; retrying in an hour');
    this.sweeps = [uploads, files, inputs].map((kind) => new Periodic(EVERY_MS, () => kind.sweep(), failed));
  }

  onApplicationBootstrap(): void {
    for (const sweep of this.sweeps) sweep.start();
  }

  onModuleDestroy(): void {
    for (const sweep of this.sweeps) void sweep.stop();
  }

  /** Deletes now. Never rejects: the next hour retries. */
  async sweep(): Promise<void> {
    for (const sweep of this.sweeps) await sweep.kick();
  }
}
