import type { Response } from 'express';

/** Why a run was stopped from outside. */
export type StopReason = 'caller_left' | 'stopped' | 'cancelled' | 'interrupted';

/**
 * A call that is waiting or running in this process: who listens to it, and the signal that stops it. While nobody
 * listens it goes on for the grace, so that a client can come back; then it is stopped (contract section 3).
 */
export class ActiveRun {
  private readonly controller = new AbortController();
  private listeners = 0;
  private grace: NodeJS.Timeout | undefined;
  private over = false;

  constructor(
    readonly executionId: string,
    readonly flowId: string,
    readonly chatId: string,
    private readonly graceMs: number,
  ) {}

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get stopReason(): StopReason | undefined {
    return this.controller.signal.aborted ? (this.controller.signal.reason as StopReason) : undefined;
  }

  /** The caller of this answer listens until it is closed; one that hangs up only stops listening. */
  listen(response: Response): void {
    this.listeners++;
    clearTimeout(this.grace);
    // Who hung up while the call was checked is told of no more.
    if (response.closed) this.leave();
    else response.once('close', () => this.leave());
  }

  stop(reason: StopReason): void {
    if (!this.over) this.controller.abort(reason);
  }

  /** Nothing is left to stop. */
  end(): void {
    this.over = true;
    clearTimeout(this.grace);
  }

  private leave(): void {
    if (--this.listeners > 0 || this.over) return;
    this.grace = setTimeout(() => this.stop('caller_left'), this.graceMs);
  }
}
