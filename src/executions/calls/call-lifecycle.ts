import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { mayBeWritten } from '../../database/away.js';
import type { Tx } from '../../database/tx.js';
import { LateWrites } from '../../database/writes/late-writes.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import type { WriteKey } from '../../database/writes/write-keys.js';
import type { ApiCall } from '../api-call.js';
import { isCancelledOnDemand, isResumable, outcomeOf } from '../call-outcome.js';
import type { ExecutionDraft, Outcome } from '../execution.js';
import { ExecutionLog } from '../log/execution-log.js';
import { RunInterrupted } from '../run-fence.js';
import { CallContext } from './call-context.js';
import type { CallKey } from './call-key.js';
import { IdempotentAnswers, requireKeys } from './idempotency.js';
import type { StoredAnswer } from './key-entry.js';
import { RunningCalls } from './running-calls.js';
import { Takeover } from './takeover.js';

/** The stored answer to replay, or the context of a new call. */
export type Begun = { replay: StoredAnswer } | { context: CallContext };

/** The end of a call. `answer` is stored under its key for replays. */
export interface CallEnd {
  context: CallContext;
  outcome: Outcome;
  answer?: { httpStatus: number; body: unknown } | undefined;
  /** True if the same call, sent again, resumes the run, as after an interruption. */
  resumable?: true | undefined;
  /** Part of the trace that is written with the end. */
  trace?: string | undefined;
}

/** Columns of the record that the call itself does not hold. */
export type CallDraft = Partial<Omit<ExecutionDraft, 'id' | 'kind' | 'caller' | 'startedAt'>>;

/**
 * The lifecycle of a recorded call (README.md beside this file): key → replay, or open → work → end, for predictions,
 * captures and renders alike. Callers supply the key, the draft and the work; keys, replays, records, refunds, late
 * writes, cancellation and shutdown are handled here.
 */
@Injectable()
export class CallLifecycle implements OnModuleInit {
  constructor(
    private readonly gate: WriteGate,
    private readonly log: ExecutionLog,
    private readonly answers: IdempotentAnswers,
    private readonly running: RunningCalls,
    private readonly takeover: Takeover,
    private readonly lateWrites: LateWrites,
    private readonly clock: Clock,
  ) {}

  /** Releases the key of a run that changes hands, so that its caller retries. A stored answer stays. */
  onModuleInit(): void {
    this.takeover.onTakenOver((tx, executionId) => this.answers.release(tx, executionId));
  }

  /**
   * Begins a call that has passed the checks before its key. Throws 409 `idempotency_key_in_use`, 422
   * `idempotency_key_reused`, 410 `stream_expired` and 503 `shutting_down`; then there is nothing to end. A returned
   * context must be ended by `end` or `fail`, then `over`.
   */
  async begin(call: ApiCall, key: CallKey | undefined): Promise<Begun> {
    const claim =
      key && (await this.answers.claimKey({ ...key, executionId: call.executionId }, key.replayAlone));
    if (claim && 'replay' in claim) {
      call.replays = { executionId: claim.replay.executionId, status: claim.replay.status };
      return { replay: claim.replay };
    }
    const context = new CallContext(call, key !== undefined, claim?.resumesFrom);
    try {
      this.running.add(context);
    } catch (error) {
      await this.fail(context, error);
      throw error;
    }
    return { context };
  }

  /** Writes the record in the transaction that begins the work. */
  async open(tx: Tx, context: CallContext, draft: CallDraft): Promise<void> {
    await this.openAll(tx, [{ context, draft }]);
  }

  /**
   * Writes several records in one statement and returns those written: a record is left out while another call holds
   * its chat's lock. Throws 409 if a call has lost its key.
   */
  async openAll(
    tx: Tx,
    calls: readonly { context: CallContext; draft: CallDraft }[],
  ): Promise<Set<CallContext>> {
    const keyed = calls.flatMap(({ context }) => (context.hasKey ? context.executionId : []));
    if (keyed.length > 0) await requireKeys(tx, keyed);
    const written = await this.log.openAll(
      tx,
      calls.map(({ context, draft }) => wholeDraft(context, draft)),
    );
    return new Set(calls.map(({ context }) => context).filter(({ executionId }) => written.has(executionId)));
  }

  /** Ends the record and settles its key with the end of the work. Throws if another process has ended it. */
  async end(tx: Tx, end: CallEnd): Promise<void> {
    if (!(await this.endAll(tx, [end])).has(end.context)) throw new RunInterrupted();
  }

  /** Ends several calls and returns those that ended now, not earlier by a process that took this one for dead. */
  async endAll(tx: Tx, ends: readonly CallEnd[]): Promise<Set<CallContext>> {
    const settled = await this.log.settleAll(
      tx,
      ends.map(({ context: { executionId, attempt }, outcome, trace }) => ({
        executionId,
        attempt,
        outcome,
        trace,
      })),
    );
    const ended = ends.filter(({ context }) => settled.has(context.executionId));
    for (const end of ended) await this.settleKey(tx, end);
    return new Set(ended.map(({ context }) => context));
  }

  /** Stores an answer under the key of a call before its end, if the caller does not wait. */
  async storeAnswer(
    tx: Tx,
    context: CallContext,
    answer: { httpStatus: number; body: unknown },
  ): Promise<void> {
    if (context.hasKey) await this.answers.store(tx, context.executionId, answer);
  }

  /**
   * Fails a call: ends its record and releases its key, now or by a retried write. Returns the error for its caller;
   * never rejects. `touches` lists the write keys of the end, without that of the idempotency key. If the opening
   * commit of a run that outlives its process may have succeeded, the run is handed over under its key, so that a retry
   * finds it instead of starting and charging a second run.
   */
  async fail(context: CallContext, error: unknown, touches?: readonly WriteKey[]): Promise<unknown> {
    const isUnknown = mayBeWritten(error);
    // Certainly nothing was written.
    if (!context.hasKey && !context.call.recorded && !isUnknown) return error;
    // Written alone if the record may be in an open transaction: this waits for that one.
    const keys = isUnknown ? undefined : context.call.recorded ? touches : [];
    const outcome = outcomeOf(error, this.clock.now());
    const write = () =>
      this.gate.write(async (tx) => {
        if (isUnknown && (await this.isFoundAgain(tx, context)) && (await this.takeover.giveUp(tx, context)))
          return;
        if (isUnknown) await this.answers.withdraw(tx, context.executionId);
        const ended = await this.endAll(tx, [{ context, outcome }]);
        if (!ended.has(context)) await this.settleKey(tx, { context, outcome });
      }, keys);
    await this.lateWrites.attempt(`the end of call ${context.executionId}`, write, context.executionId);
    return error;
  }

  /** Releases the key of a call that was answered with another call's answer; it gets no record here. */
  async giveUp(context: CallContext): Promise<void> {
    if (context.hasKey) await this.gate.write((tx) => this.answers.release(tx, context.executionId), []);
    this.over(context);
  }

  /** Ends the call in this process: everything that its caller can rely on is durable. */
  over(context: CallContext): void {
    this.running.remove(context);
  }

  /** Returns true if a retry finds the call, by its key or by the question that it answers. */
  private async isFoundAgain(tx: Tx, { hasKey, executionId }: CallContext): Promise<boolean> {
    if (hasKey) return true;
    const answers = 'SELECT 1 FROM executions WHERE id = ? AND resumes IS NOT NULL';
    return (await tx.one(answers, [executionId])) !== undefined;
  }

  private async settleKey(tx: Tx, { context, outcome, answer, resumable }: CallEnd): Promise<void> {
    if (!context.hasKey) return;
    const { executionId } = context;
    if (answer) await this.answers.store(tx, executionId, answer);
    else if (resumable || isResumable(outcome)) await this.answers.leave(tx, executionId);
    else if (isCancelledOnDemand(outcome)) await this.answers.forget(tx, executionId);
    else await this.answers.release(tx, executionId);
  }
}

function wholeDraft({ call, earlier, runId }: CallContext, draft: CallDraft): ExecutionDraft {
  const { executionId: id, kind, caller, startedAt, flowId, flowName, chatId, question } = call;
  const { flowVersion } = call;
  return {
    id,
    kind,
    caller,
    startedAt,
    credits: 0,
    ...(flowId === undefined ? {} : { flowId }),
    ...(flowName === undefined ? {} : { flowName }),
    ...(flowVersion === undefined ? {} : { flowVersion }),
    ...(chatId === undefined ? {} : { chatId }),
    ...(question === undefined ? {} : { question }),
    ...(earlier ? { retryOf: earlier.executionId, runId } : {}),
    ...draft,
  };
}
