import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';
import { ServiceError } from '../../common/service-error.js';
import { isAway, callerError } from '../../database/away.js';
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
import { type Closing, closingOf, type LastEvent, type RunSummary } from './run-outcomes.js';
import { RunRemains } from './run-remains.js';

/** The part of a call needed for its end: small enough to hold while a run waits or the database is away. */
export interface EndingCall extends Pick<PredictionCall, 'onEnded' | 'answers'> {
  readonly apiCall: Pick<ApiCall, 'executionId'>;
}

/**
 * Ends a run: record, memory, state and stored answer in one transaction, then the answer (contract section 3). A
 * failed or cancelled run leaves memory and state unchanged.
 */
@Injectable()
export class RunClosing {
  /** Simultaneous ends share statements. */
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
    private readonly journal: EffectJournal,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /**
   * Ends a run by its last event. Rejects if the first call of a waiting run cannot be stored, and with `RunHalted`,
   * nothing being ended, if the run resumes later.
   */
  async close(
    call: PredictionCall,
    context: CallContext,
    last: RunEvent,
    seen: RunSummary,
  ): Promise<PredictionEnding> {
    const finishedAt = this.clock.now();
    const approval = await this.remains.prepareApproval(call, context, last, finishedAt);
    const made = closingOf(call, context, last as LastEvent, seen, { finishedAt, approval });
    if (made.halted) {
      seen.trace.ahead();
      await seen.trace.handedOver();
      throw new RunHalted(made.halted, seen.owed);
    }
    // The trace of a resumed run belongs to its first record, which does not end here.
    if (call.answers) seen.trace.ahead();
    const closing = { ...made, trace: call.answers ? undefined : seen.trace.rest(), owed: seen.owed };
    await seen.trace.handedOver();
    const closed = { call, context, closing, keys: touchedBy(call, context, closing) };
    try {
      const settled = await patiently(() => this.gate.writeTogether(this.closings, closed));
      // Another process took this one for dead and recovered the run: its refund holds.
      return settled ? closing.ending : { error: interrupted(context) };
    } catch (error) {
      return isAway(error) ? this.closeLate(closed, error) : this.closeBroken(call, context, error, closing);
    }
  }

  /** Ends and refunds a run that could not start, or whose end cannot be written, now or by a retried write. */
  async closeBroken(
    call: EndingCall,
    context: CallContext,
    cause: unknown,
    { trace, owed }: Pick<Closing, 'trace' | 'owed'> = {},
  ): Promise<PredictionEnding> {
    const { executionId } = call.apiCall;
    const reported = callerError(cause);
    const known = reported instanceof ServiceError;
    if (!known) this.logger.error({ err: cause, executionId }, 'a run could not be closed');
    const error = known ? reported : internalError();
    const outcome = outcomeOf(error, this.clock.now());
    // Resumable, because the run may have had effects; not after a cancellation.
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
   * Writes the end by retries because the database is away and the caller cannot wait; with the status that the caller
   * was sent, unless the run was interrupted meanwhile.
   */
  private closeLate({ call, closing, ...run }: ClosedRun, cause: unknown): PredictionEnding {
    const error = endPending(cause, run.context.hasKey);
    const outcome = { ...closing.outcome, httpStatus: error.status };
    const closed = { ...run, call: endingOf(call), closing: { ...closing, outcome } };
    const { executionId } = call.apiCall;
    const write = async () => {
      if (await this.gate.writeTogether(this.closings, closed)) return;
      // The first commit succeeded after all: only the status differs from the one that the caller was sent.
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
    await this.remains.store(
      tx,
      over.flatMap(({ closing }) => closing.remains ?? []),
    );
    for (const { call, closing } of over) {
      // The record that waited ends, and is refunded, with the run.
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
  /** Write keys of the end; undefined if they are not known beforehand. */
  keys: readonly WriteKey[] | undefined;
}

/** Write keys; undefined for a run that waits or has waited, which writes other runs too. */
function touchedBy(
  { flow, chatId, answers }: PredictionCall,
  { runId }: CallContext,
  { outcome, remains }: Closing,
): WriteKey[] | undefined {
  if (answers || remains?.approval || remains?.answered !== undefined) return undefined;
  const own = [chatKey(flow.id, chatId), runKey(runId)];
  return outcome.status === 'failed' ? [...own, accountKey(flow.account)] : own;
}

/** Ends the call of a human's answer as succeeded even if the run waits again: only the first record waits. */
const endOf = ({ call, context, closing: { outcome, answer, resumable, trace } }: ClosedRun): CallEnd => ({
  trace,
  context,
  outcome: call.answers && outcome.status === 'waiting' ? { ...outcome, status: 'succeeded' } : outcome,
  answer,
  resumable,
});

/** Returns the error of a run that was ended elsewhere, by recovery or by a process that took this one for dead. */
const interrupted = ({ cancelReason }: CallContext): ServiceError =>
  cancelReason === 'interrupted' ? cancellationError(cancelReason) : new RunInterrupted();

const endingOf = ({ apiCall: { executionId }, answers, onEnded }: EndingCall): EndingCall => ({
  apiCall: { executionId },
  ...(answers ? { answers } : {}),
  ...(onEnded ? { onEnded } : {}),
});
