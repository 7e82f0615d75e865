import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';
import { ServiceError } from '../../common/service-error.js';
import { isAway, toldOf } from '../../database/away.js';
import { patiently } from '../../database/patiently.js';
import type { Tx } from '../../database/tx.js';
import { LateWrites } from '../../database/writes/late-writes.js';
import type { SharedWork } from '../../database/writes/shared-work.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { accountKey, chatKey, runKey, type WriteKey } from '../../database/writes/write-keys.js';
import type { ApiCall } from '../../executions/api-call.js';
import { outcomeOf } from '../../executions/call-outcome.js';
import type { CallContext } from '../../executions/calls/call-context.js';
import { type CallEnd, CallLifecycle } from '../../executions/calls/call-lifecycle.js';
import { EffectJournal } from '../../executions/calls/effect-journal.js';
import { ExecutionLog } from '../../executions/log/execution-log.js';
import { RunInterrupted } from '../../executions/run-fence.js';
import type { RunEvent } from '../../flows/engine/run-event.js';
import type { PredictionEnding } from '../call/answer-form.js';
import { endPending, internalError, cancellationError } from '../call/prediction-answer.js';
import type { PredictionCall } from '../call/prediction-call.js';
import { RunHalted } from './run-handover.js';
import { type Closing, type LastEvent, RunOutcomes, type RunSummary } from './run-outcomes.js';
import { RunRemains } from './run-remains.js';

/** The part of a call that its end needs: small enough to be kept while a run waits, or while the database is away. */
export interface EndingCall extends Pick<PredictionCall, 'onEnded' | 'answers'> {
  readonly apiCall: Pick<ApiCall, 'executionId'>;
}

/**
 * Ends a run: record, memory, state and the answer kept for replay in one transaction, then the answer (contract
 * section 3). A failed or stopped run leaves memory and state as they were.
 */
@Injectable()
export class RunClosing {
  /** Runs that end at the same time end with the same statements. */
  private readonly closings: SharedWork<ClosedRun, boolean> = {
    keysOf: ({ keys }) => keys,
    write: (tx, runs) => this.write(tx, runs),
  };

  constructor(
    private readonly gate: WriteGate,
    private readonly lateWrites: LateWrites,
    private readonly lifecycle: CallLifecycle,
    private readonly log: ExecutionLog,
    private readonly remains: RunRemains,
    private readonly outcomes: RunOutcomes,
    private readonly journal: EffectJournal,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /**
   * Rejects where the first call of a run that stopped cannot be stored, and with `RunHalted`, nothing being ended, where the
   * run goes on later.
   */
  async close(
    call: PredictionCall,
    context: CallContext,
    last: RunEvent,
    seen: RunSummary,
  ): Promise<PredictionEnding> {
    const made = await this.outcomes.closingOf(call, context, last as LastEvent, seen);
    if (made.halted) {
      seen.trace.ahead();
      await seen.trace.handedOver();
      throw new RunHalted(made.halted, seen.owed);
    }
    // The record of a resumed run is not the one that ends here.
    if (call.answers) seen.trace.ahead();
    const closing = { ...made, trace: call.answers ? undefined : seen.trace.rest(), owed: seen.owed };
    await seen.trace.handedOver();
    const closed = { call, context, closing, keys: touchedBy(call, context, closing) };
    try {
      const settled = await patiently(() => this.gate.writeTogether(this.closings, closed));
      // Recovery by another process, which took this one for dead, was first: its refund holds.
      return settled ? closing.ending : { error: interrupted(context) };
    } catch (error) {
      return isAway(error) ? this.closeLate(closed, error) : this.closeBroken(call, context, error, closing);
    }
  }

  /**
   * Ends a run that could not even start, or whose end cannot be written. Its charge is refunded, now or by a retried
   * write.
   */
  async closeBroken(
    call: EndingCall,
    context: CallContext,
    cause: unknown,
    { trace, owed }: Pick<Closing, 'trace' | 'owed'> = {},
  ): Promise<PredictionEnding> {
    const { executionId } = call.apiCall;
    const reported = toldOf(cause);
    const known = reported instanceof ServiceError;
    if (!known) this.logger.error({ err: cause, executionId }, 'a run could not be closed');
    const error = known ? reported : internalError();
    const outcome = outcomeOf(error, this.clock.now());
    // The run may have done something before its end failed; one that was stopped on demand is over.
    const closing: Closing = {
      ending: { error },
      outcome,
      trace,
      owed,
      ...(error.status < 500 ? {} : { resumable: true }),
    };
    const closed = { call: endingOf(call), context, closing, keys: undefined };
    const write = () => this.gate.writeTogether(this.closings, closed);
    await this.lateWrites.attempt(`the end of run ${executionId}`, write, executionId);
    return { error };
  }

  /**
   * The database is away, and the caller cannot wait until the end of the run is durable. It is written by retries,
   * unless the run was interrupted meanwhile, with the status that the caller was sent.
   */
  private closeLate({ call, closing, ...run }: ClosedRun, cause: unknown): PredictionEnding {
    const error = endPending(cause, run.context.hasKey);
    const outcome = { ...closing.outcome, httpStatus: error.status };
    const closed = { ...run, call: endingOf(call), closing: { ...closing, outcome } };
    const { executionId } = call.apiCall;
    const write = async () => {
      if (await this.gate.writeTogether(this.closings, closed)) return;
      // The commit whose answer was lost had been made: the status that the caller was sent differs from the intended
      // one.
      await this.gate.write((tx) => this.log.correctStatus(tx, executionId, outcome));
    };
    this.lateWrites.later(`the end of run ${executionId}`, write, cause, executionId);
    return { error };
  }

  private async write(tx: Tx, runs: readonly ClosedRun[]): Promise<boolean[]> {
    await this.journal.settle(
      tx,
      runs.flatMap(({ closing }) => closing.owed ?? []),
    );
    const ended = await this.lifecycle.endAll(tx, runs.map(endOf));
    const over = runs.filter(({ context }) => ended.has(context));
    await this.remains.keep(
      tx,
      over.flatMap(({ closing }) => closing.remains ?? []),
    );
    for (const { call, closing } of over) {
      // The first part of the conversation ends, and is refunded, with the last.
      if (call.answers) await this.log.settle(tx, call.answers.executionId, closing.outcome);
      await call.onEnded?.(tx, closing.ending);
    }
    return runs.map(({ context }) => ended.has(context));
  }
}

interface ClosedRun {
  call: EndingCall;
  context: CallContext;
  closing: Closing;
  /** Everything that the end touches; undefined where that is not known beforehand. */
  keys: readonly WriteKey[] | undefined;
}

/** A failed run is refunded. A stop, and the end of a run that had stopped, touch more than the run and its chat. */
function touchedBy(
  { flow, chatId, answers }: PredictionCall,
  { runId }: CallContext,
  { outcome, remains }: Closing,
): WriteKey[] | undefined {
  if (answers || remains?.approval || remains?.answered !== undefined) return undefined;
  const own = [chatKey(flow.id, chatId), runKey(runId)];
  return outcome.status === 'failed' ? [...own, accountKey(flow.account)] : own;
}

/** Only the execution that stopped first waits; a call that answered it has had its answer. */
const endOf = ({ call, context, closing: { outcome, answer, resumable, trace } }: ClosedRun): CallEnd => ({
  trace,
  context,
  outcome: call.answers && outcome.status === 'waiting' ? { ...outcome, status: 'succeeded' } : outcome,
  answer,
  resumable,
});

/** The run was ended elsewhere: by recovery when the service stopped, or by a process that took this one for dead. */
const interrupted = ({ cancelReason }: CallContext): ServiceError =>
  cancelReason === 'interrupted' ? cancellationError(cancelReason) : new RunInterrupted();

const endingOf = ({ apiCall: { executionId }, answers, onEnded }: EndingCall): EndingCall => ({
  apiCall: { executionId },
  ...(answers ? { answers } : {}),
  ...(onEnded ? { onEnded } : {}),
});
