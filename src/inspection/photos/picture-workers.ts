import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import { AppConfig } from '../../common/app-config.js';
import { shuttingDown } from '../../common/readiness.js';
import { workerFile } from '../../common/worker-file.js';
import { type Picture, FaultyPicture, type PictureResult, type PictureTask, undecodable } from './picture.js';
import type { PictureFormat } from './picture-format.js';

const IDLE_MS = 20_000;
const THREADS = 2;
const PATIENCE_MS = 90_000;

/**
 * Makes print renditions in worker threads that start with the first picture and end when idle. HEIC, which takes a
 * second and 400 MB, has one thread of its own and goes one at a time.
 */
@Injectable()
export class PictureWorkers implements OnApplicationShutdown {
  private readonly pools = new Map<'heic' | 'other', Piscina<PictureTask, PictureResult>>();
  private closed = false;
  private heicTurn: Promise<unknown> = Promise.resolve();

  constructor(private readonly config: AppConfig) {}

  /**
   * Checks the picture that lies at `path` and writes its rendition to `renditionPath`. `format` is what its first
   * bytes say (`sniffPicture`). Throws `FaultyPicture` for a picture that cannot be taken.
   */
  async normalise(path: string, renditionPath: string, format: PictureFormat | undefined): Promise<Picture> {
    const task: PictureTask = { path, renditionPath, maxPixels: this.config.maxPixels };
    const result = await (format === 'heic' ? this.inTurn(task) : this.run('other', task));
    if ('fault' in result) throw new FaultyPicture(result.fault);
    return result.picture;
  }

  async onApplicationShutdown(): Promise<void> {
    this.closed = true;
    const pools = [...this.pools.values()];
    this.pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  private inTurn(task: PictureTask): Promise<PictureResult> {
    const result = this.heicTurn.then(() => this.run('heic', task, AbortSignal.timeout(PATIENCE_MS)));
    this.heicTurn = result.catch(() => undefined);
    return result;
  }

  private async run(kind: 'heic' | 'other', task: PictureTask, signal?: AbortSignal): Promise<PictureResult> {
    try {
      return await this.pool(kind).run(task, signal === undefined ? {} : { signal });
    } catch (error) {
      if (this.closed) throw shuttingDown('The service is stopping. Send the batch again in a moment.');
      if (signal?.aborted) throw undecodable('takes too long to decode');
      if (isTroubleOfOurs(error)) throw error;
      // The thread died of it.
      throw undecodable('cannot be decoded');
    }
  }

  private pool(kind: 'heic' | 'other'): Piscina<PictureTask, PictureResult> {
    let pool = this.pools.get(kind);
    if (pool === undefined) {
      pool = new Piscina<PictureTask, PictureResult>({
        ...workerFile(import.meta.url, 'picture-worker'),
        minThreads: 0,
        maxThreads: kind === 'heic' ? 1 : THREADS,
        idleTimeout: IDLE_MS,
        concurrentTasksPerWorker: 1,
      });
      this.pools.set(kind, pool);
    }
    return pool;
  }
}

/** A file that cannot be read or written; only the message of an error comes out of a thread. */
const isTroubleOfOurs = (error: unknown): boolean =>
  /^E[A-Z]+: /.test((error as { message?: string }).message ?? '');
