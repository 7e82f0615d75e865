/** The time limits of a call to a model. */
export interface Patience {
  /** Before the first retry. */
  firstWaitMs: number;
  /** For a whole answer. */
  longestMs: number;
}

export const USUAL_PATIENCE: Patience = { firstWaitMs: 500, longestMs: 30 * 60_000 };

/** Combines the time limit of a call and its caller's signal in one signal. */
export class CallLimit {
  /** The time limit was reached. */
  passed = false;
  private readonly controller = new AbortController();
  private readonly onAbort = (): void => this.controller.abort(this.outer.reason);
  private timer: NodeJS.Timeout;
  private shortened = false;

  constructor(
    private readonly outer: AbortSignal,
    ms: number,
  ) {
    if (outer.aborted) this.onAbort();
    else outer.addEventListener('abort', this.onAbort, { once: true });
    this.timer = this.timerOf(ms);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Shortens the remaining time, once. */
  shorten(ms: number): void {
    if (this.shortened) return;
    this.shortened = true;
    clearTimeout(this.timer);
    this.timer = this.timerOf(ms);
  }

  /** Ends the limit after the call. */
  over(): void {
    clearTimeout(this.timer);
    this.outer.removeEventListener('abort', this.onAbort);
  }

  private timerOf(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.passed = true;
      this.controller.abort(new Error('the time was up'));
    }, ms).unref();
  }
}
