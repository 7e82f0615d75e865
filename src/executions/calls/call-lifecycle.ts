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

/** The kept answer of a call that was answered before, or the life that a new one begins. */
export type Begun = { replay: StoredAnswer } | { context: CallContext };

/** How a call ends. `kept` is the answer that its key replays from now on. */
export interface CallEnd {
  context: CallContext;
  outcome: Outcome;
  answer?: { httpStatus: number; body: unknown } | undefined;
  /** The same call goes on with its run, as after an interruption. */
  resumable?: true | undefined;
  /** The part of the trace that is written with the end. */
  trace?: string | undefined;
}

/** Columns of the record that the call itself does not know. */
export type CallDraft = Partial<Omit<ExecutionDraft, 'id' | 'kind' | 'caller' | 'startedAt'>>;

/**
 * The one life of a recorded call (README.md beside this file): key → replay, or open → work → end, in this order, for
 * predictions, captures and renders alike. Callers hand in the key, the draft and the work; keys, replays, records,
 * refunds, late writes, cancelling and shutdown are handled here.
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

  /** Whoever waited for a run that changes hands is told to try again. A kept answer stays. */
  onModuleInit(): void {
    this.takeover.onTakenOver((tx, executionId) => this.answers.release(tx, executionId));
  }

  /**
   * Begins a call that has passed the checks before its key. Throws 409 `idempotency_key_in_use`, 422
   * `idempotency_key_reused`, 410 `stream_expired` and 503 `shutting_down`, then there is nothing to end. A life that
   * was answered must be ended: by `end` or `fail`, and then `over`.
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

  /** Writes the record, in the transaction that begins the work; `opened` is for after its commit. */
  async open(tx: Tx, context: CallContext, draft: CallDraft): Promise<void> {
    await this.openAll(tx, [{ context, draft }]);
  }

  /**
   * Writes several records in one statement; returns those that were written: not one whose chat's turn is held. Throws
   * 409 where a call has lost its key.
   */
  async openAll(
    tx: Tx,
    calls: readonly { context: CallContext; draft: CallDraft }[],
  ): Promise<Set<CallContext>> {
    await requireKeys(
      tx,
      calls.flatMap(({ context }) => (context.hasKey ? context.executionId : [])),
    );
    const written = await this.log.openAll(
      tx,
      calls.map(({ context, draft }) => wholeDraft(context, draft)),
    );
    return new Set(calls.map(({ context }) => context).filter(({ executionId }) => written.has(executionId)));
  }

  /**
   * Ends the record and settles its key, in the transaction that ends the work. Throws when it had been ended before,
   * by another process.
   */
  async end(tx: Tx, end: CallEnd): Promise<void> {
    if (!(await this.endAll(tx, [end])).has(end.context)) throw new RunInterrupted();
  }

  /** Several at once; answers those that ended now, and not before by a process that took this one for dead. */
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

  /** Keeps an answer for the key of a call before its end: the caller does not wait. */
  async storeAnswer(
    tx: Tx,
    context: CallContext,
    answer: { httpStatus: number; body: unknown },
  ): Promise<void> {
    if (context.hasKey) await this.answers.store(tx, context.executionId, answer);
  }

  /**
   * Fails a call: ends its record, if it has one, and releases its key, now or by a retried write. Answers the error
   * that its caller is told; never rejects. `touches` is what the end of its record touches, beside its key. A run that
   * outlives its process and may have been opened all the same is handed over where whoever was told to try again finds
   * it: another would be run, and paid, beside the second try.
   */
  async fail(context: CallContext, error: unknown, touches?: readonly WriteKey[]): Promise<unknown> {
    const isUnknown = mayBeWritten(error);
    // Nothing was written, for certain.
    if (!context.hasKey && !context.call.recorded && !isUnknown) return error;
    // Alone, where its record may be in a transaction that is not over yet: this waits for that.
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

  /** The call is answered with what another was answered: nothing is written of it here, and its key is free again. */
  async giveUp(context: CallContext): Promise<void> {
    if (context.hasKey) await this.gate.write((tx) => this.answers.release(tx, context.executionId), []);
    this.over(context);
  }

  /** Everything of the call that its caller can count on is durable; nothing of it is under way any more. */
  over(context: CallContext): void {
    this.running.remove(context);
  }

  /** By its key, or by the question that it answers. */
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
  return {
    id,
    kind,
    caller,
    startedAt,
    credits: 0,
    ...(flowId === undefined ? {} : { flowId }),
    ...(flowName === undefined ? {} : { flowName }),
    ...(chatId === undefined ? {} : { chatId }),
    ...(question === undefined ? {} : { question }),
    ...(earlier ? { retryOf: earlier.executionId, runId } : {}),
    ...draft,
  };
}
