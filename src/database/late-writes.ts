import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { Logger } from '../common/logger.js';

const FIRST_MS = 500;
const LONGEST_MS = 2_000;

/**
 * Writes that nobody waits for and that must not be given up: the end of a run whose database was away just then. Each
 * is tried again, at growing distances, until it succeeds. What is left when the process ends is the recovery's work.
 */
@Injectable()
export class LateWrites implements OnModuleDestroy {
  private readonly ending = new AbortController();

  constructor(private readonly logger: Logger) {}

  /**
   * Writes now or, where that fails, late; never rejects. `write` may have succeeded without being told so: it must do
   * no harm when it is done twice. It is kept in memory until then: what it needs should be small.
   */
  async attempt(what: string, write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.later(what, write, error);
    }
  }

  /** Like `attempt`, of a write that failed just now for this reason. */
  later(what: string, write: () => Promise<unknown>, error: unknown): void {
    this.logger.error({ err: error, what }, 'a write is made later');
    void this.tryOn(write);
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
        // Said at the first time; tried again unless the process ends.
      }
    }
  }
}
