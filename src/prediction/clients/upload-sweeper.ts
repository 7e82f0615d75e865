import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Logger } from '../../common/logger.js';
import { ChatFiles } from './chat-files.js';
import { ChatUploads } from './chat-uploads.js';

const EVERY_MS = 3_600_000;

/** Deletes, hourly, photographs whose message never came and texts whose flow was deleted. */
@Injectable()
export class UploadSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly uploads: ChatUploads,
    private readonly files: ChatFiles,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.sweep(), EVERY_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Never throws: the next hour tries again. */
  async sweep(): Promise<void> {
    for (const files of [this.uploads, this.files]) {
      try {
        await files.sweep();
      } catch (error) {
        this.logger.error({ err: error }, 'attached files were not swept; it is tried again in an hour');
      }
    }
  }
}
