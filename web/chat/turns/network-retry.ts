import { retryWait } from '../retry-wait.js';

/** Retries a call that was lost: after growing delays, and as soon as the browser reports a network. */
export class NetworkRetry {
  /** Attempts since the network was lost. */
  private tries = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly retry: () => void) {
    globalThis.addEventListener?.('online', this.now);
  }

  readonly now = (): void => {
    clearTimeout(this.timer);
    this.retry();
  };

  /** Schedules the next attempt after a call that was lost. Any other outcome starts the delays again. */
  settle(isLost: boolean): void {
    clearTimeout(this.timer);
    if (isLost) this.timer = setTimeout(this.now, retryWait(this.tries++));
    else this.tries = 0;
  }
}
