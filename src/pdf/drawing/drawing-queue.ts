import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { availableParallelism } from 'node:os';
import { TaskQueue } from '../../common/processes/task-queue.js';
import { PdfRenderer } from '../renderer/pdf-renderer.js';

/** Leaves one core to other calls. */
const AT_ONCE = availableParallelism() > 2 ? 2 : 1;
const MOST_WAITING = 500;
const FULL =
  'Too many reports are waiting to be drawn. Nothing was claimed. Render again after the seconds in Retry-After.';

/** The queue of reports to be drawn by this process, and the threads that draw them. */
@Injectable()
export class DrawingQueue extends TaskQueue implements OnApplicationShutdown {
  readonly renderer = new PdfRenderer({ threads: AT_ONCE });

  constructor() {
    super(AT_ONCE, MOST_WAITING, FULL);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.renderer.close();
  }
}
