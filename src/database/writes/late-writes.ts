import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { Logger } from '../../common/logger.js';

const FIRST_MS = 500;
const LONGEST_MS = 2_000;

/**
 * Writes that no caller awaits and that must not be lost, such as the end of a run while the database is unavailable. Each
 * is retried with growing pauses until it succeeds. After the end of the process, recovery does the rest.
 */
@Injectable()
export class LateWrites implements OnModuleDestroy {
  private readonly ending = new AbortController();
  /** Writes that are being retried, each with the id of what it changes. */
  private readonly waiting = new Set<{ id: string | undefined }>();

  constructor(private readonly logger: Logger) {}

  /**
   * Writes now, or retries later when that fails; never rejects. `write` may have succeeded although its answer was lost,
   * so it must be idempotent. It stays in memory until it succeeds, so it should hold little. `id` is that of the
   * execution or message whose row it changes, if any.
   */
  async attempt(what: string, write: () => Promise<unknown>, id?: string): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.later(what, write, error, id);
    }
  }

  /** Retries a write that has just failed with this error. */
  later(what: string, write: () => Promise<unknown>, error: unknown, id?: string): void {
    this.logger.error({ err: error, what }, 'a write is made later');
    const one = { id };
    this.waiting.add(one);
    void this.tryOn(write).finally(() => this.waiting.delete(one));
  }

  /** The number of writes that are being retried. */
  get queueLength(): number {
    return this.waiting.size;
  }

  /** Returns whether a pending write will change the row of this execution or message. */
  areAbout(id: string): boolean {
    return [...this.waiting].some((one) => one.id === id);
  }

  onModuleDestroy(): void {
    this.ending.abort();
  }

  private async tryOn(write: () => Promise<unknown>): Promise<void> {
    const { signal } = this.ending;
    for (let pause = FIRST_MS; !signal.aborted; pause = Math.min(pause * 2, LONGEST_MS)) {
      try {
        await wait(pause, undefined, { ref: false, signal });
        await write();
        return;
      } catch {
        // Logged the first time; retried until the process ends.
      }
    }
  }
}
