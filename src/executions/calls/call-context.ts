import type { ApiCall } from '../api-call.js';
import type { CancelReason } from '../call-outcome.js';
import type { Earlier } from './idempotency.js';

/**
 * A recorded call in this process, from its key to its end. Its work ends on `signal`. Journal and fence identify it by
 * `runId` and `attempt` (contract section 11).
 */
export class CallContext {
  private readonly controller = new AbortController();
  private ended = false;

  constructor(
    readonly call: ApiCall,
    /** True if it carries an `Idempotency-Key`, under which its answer is stored. */
    readonly hasKey = false,
    /** The call under the same key whose run this one resumes. */
    readonly earlier?: Earlier,
    /** Above 1 after a takeover. */
    readonly attempt = 1,
  ) {}

  get executionId(): string {
    return this.call.executionId;
  }

  get runId(): string {
    return this.earlier?.runId ?? this.call.executionId;
  }

  /** True if an earlier attempt may have had effects. */
  get isResumed(): boolean {
    return this.earlier !== undefined || this.attempt > 1;
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get cancelReason(): CancelReason | undefined {
    return this.signal.aborted ? (this.signal.reason as CancelReason) : undefined;
  }

  get isOver(): boolean {
    return this.ended;
  }

  cancel(reason: CancelReason): void {
    if (!this.ended) this.controller.abort(reason);
  }

  /** Makes `cancel` a no-op from now on. */
  end(): void {
    this.ended = true;
  }
}
