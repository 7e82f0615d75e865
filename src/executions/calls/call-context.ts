import type { ApiCall } from '../api-call.js';
import type { CancelReason } from '../call-outcome.js';
import type { Earlier } from './idempotency.js';

/**
 * One recorded call while this process looks after it, from its key to its end. Its work stops on `signal`; its journal
 * and its fence identify it by `runId` and `attempt` (contract section 11).
 */
export class CallContext {
  private readonly controller = new AbortController();
  private ended = false;

  constructor(
    readonly call: ApiCall,
    /** It carries an `Idempotency-Key`: its answer is kept, or its key released. */
    readonly hasKey = false,
    /** The call under the same key whose run this one continues. */
    readonly earlier?: Earlier,
    /** Above 1 once another process had begun it. */
    readonly attempt = 1,
  ) {}

  get executionId(): string {
    return this.call.executionId;
  }

  get runId(): string {
    return this.earlier?.runId ?? this.call.executionId;
  }

  /** An earlier attempt may have done something already. */
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

  /** From now on `stop` does nothing. */
  end(): void {
    this.ended = true;
  }
}
