import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import type { ServiceError } from '../../common/service-error.js';
import type { Tx } from '../../database/tx.js';
import { runKey, type WriteKey } from '../../database/writes/write-keys.js';
import { outcomeOf } from '../../executions/call-outcome.js';
import type { CallContext } from '../../executions/calls/call-context.js';
import { CallLifecycle } from '../../executions/calls/call-lifecycle.js';
import { EffectJournal, type JournalPlace } from '../../executions/calls/effect-journal.js';
import type { Outcome } from '../../executions/execution.js';
import { fence } from '../../executions/run-fence.js';
import type { RenderProgress } from '../renderer/render-job.js';

/** Who renders: a call with a record of its own, or a flow's run. */
export interface RenderCaller {
  readonly executionId: string;
  /** Of a call: its record is opened with the claim and ended with the report. */
  readonly context?: CallContext;
  /** Of a node: the effect of its run that the render is. */
  readonly effect?: JournalPlace;
  /** The flows whose photographs this caller may use. */
  readonly flowIds: readonly string[];
  /** Those of them whose record of the inspection fills what `meta` leaves out. */
  readonly detailsOf?: readonly string[];
  /** Set where photographs of other flows are pending: the refusal if no others are. */
  readonly refusal?: ServiceError;
  /** `scheme://host` for links. */
  readonly origin: string;
  /** The caller wants 202 and comes back for the answer. */
  readonly respondAsync: boolean;
  /** Stops the render with the call or run that it belongs to. */
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: RenderProgress) => void;
  /** Whether the caller may read reports of these flows. */
  mayRead(flowIds: readonly string[]): Promise<boolean>;
  /** Whether the caller may learn that reports of these flows exist: not on a page that one of their lists refuses. */
  mayHearOf(flowIds: readonly string[]): Promise<boolean>;
}

/** The run that the render is an effect of. */
export const runOf = ({ effect }: RenderCaller): WriteKey[] => (effect ? [runKey(effect.runId)] : []);

/** The execution record of a render and the answer kept for its replay; of a node of a flow, the effect of its run. */
@Injectable()
export class RenderRecords {
  constructor(
    private readonly lifecycle: CallLifecycle,
    private readonly journal: EffectJournal,
    private readonly clock: Clock,
  ) {}

  async open(tx: Tx, { context, effect }: RenderCaller): Promise<void> {
    if (context) await this.lifecycle.open(tx, context, {});
    else if (effect) await fence(tx, effect);
  }

  /** Keeps the 202 of a caller who does not wait, to be replayed as such. */
  async keepAcceptance(tx: Tx, { context }: RenderCaller, body: unknown): Promise<void> {
    if (context) await this.lifecycle.keep(tx, context, { httpStatus: 202, body });
  }

  async succeed(tx: Tx, { context, effect, respondAsync }: RenderCaller, answer: object, summary: string) {
    if (effect) await this.journal.write(tx, effect, 'render', answer);
    if (!context) return;
    const outcome: Outcome = {
      status: 'succeeded',
      httpStatus: respondAsync ? 202 : 200,
      answer: summary,
      finishedAt: this.clock.now(),
    };
    await this.lifecycle.end(tx, { context, outcome, kept: { httpStatus: 200, body: answer } });
  }

  async fail(tx: Tx, { context }: RenderCaller, error: ServiceError): Promise<void> {
    if (context) await this.lifecycle.endAll(tx, [{ context, outcome: outcomeOf(error, this.clock.now()) }]);
  }
}
