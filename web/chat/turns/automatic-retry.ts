import { retryWait } from '../retry-wait.js';
import type { Trouble } from './trouble.js';

/** Refusals in a row after which a busy service is not asked again without the person. */
const MOST_REFUSALS = 5;

/**
 * Retries a call that was lost, after growing delays and as soon as the browser reports a network; and one that a busy
 * service refused, after the time that it asked for.
 */
export class AutomaticRetry {
  /** Attempts since the network was lost. */
  private tries = 0;
  private refusals = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly retry: () => void) {
    globalThis.addEventListener?.('online', this.now);
  }

  /** A busy service may be asked again. */
  get isPatient(): boolean {
    return this.refusals < MOST_REFUSALS;
  }

  readonly now = (): void => {
    clearTimeout(this.timer);
    this.retry();
  };

  /** Schedules the next attempt of a call that waits. Any other outcome starts the counts again. */
  settle({ waits, afterSeconds }: Pick<Trouble, 'waits' | 'afterSeconds'> = {}): void {
    clearTimeout(this.timer);
    this.refusals = waits === 'service' ? this.refusals + 1 : 0;
    if (!waits) this.tries = 0;
    else
      this.timer = setTimeout(
        this.now,
        afterSeconds === undefined ? retryWait(this.tries++) : afterSeconds * 1_000,
      );
  }
}
