import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { Logger } from '../../common/logger.js';

const FIRST_MS = 500;
const LONGEST_MS = 2_000;

/**
 * Writes that no caller waits for and that must not be lost: the end of a run while the database is away. Each is
 * retried, with growing pauses, until it succeeds. After the end of the process the recovery does the rest.
 */
@Injectable()
export class LateWrites implements OnModuleDestroy {
  private readonly ending = new AbortController();
  /** Writes that are tried again, each with the execution that it is about. */
  private readonly waiting = new Set<{ executionId: string | undefined }>();

  constructor(private readonly logger: Logger) {}

  /**
   * Writes now, or retries later where that fails; never rejects. `write` may have succeeded although its answer was
   * lost: it must be idempotent. It stays in memory until then, so it should hold little. `executionId` names the
   * execution whose record it changes, if it does.
   */
  async attempt(what: string, write: () => Promise<unknown>, executionId?: string): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.later(what, write, error, executionId);
    }
  }

  /** Like `attempt`, of a write that failed just now for this reason. */
  later(what: string, write: () => Promise<unknown>, error: unknown, executionId?: string): void {
    this.logger.error({ err: error, what }, 'a write is made later');
    const one = { executionId };
    this.waiting.add(one);
    void this.tryOn(write).finally(() => this.waiting.delete(one));
  }

  /** Writes that failed and are tried again. */
  get queueLength(): number {
    return this.waiting.size;
  }

  /** Whether the record of this execution is other than it will be once they succeed. */
  areAbout(executionId: string): boolean {
    return [...this.waiting].some((one) => one.executionId === executionId);
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
