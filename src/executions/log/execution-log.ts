import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { ProcessPresence } from '../../database/presence/process-presence.js';
import type { Tx } from '../../database/tx.js';
import type { ExecutionDraft, Outcome, SettledExecution } from '../execution.js';
import { fence, type RunAttempt } from '../run-fence.js';
import { type RecordEnding, insertOpened, updateSettled } from './execution-rows.js';
import { type ExecutionTrace, NodeTraces } from './node-traces.js';
import { PresentedKeys } from './presented-keys.js';
import { type UnopenedCall, UnopenedCalls } from './unopened-calls.js';

export type SettledListener = (tx: Tx, settled: SettledExecution) => Promise<void>;

/** Cancels the execution if it runs in this process, and returns true if it does. */
export type CancelListener = (executionId: string) => boolean;

const FLUSH_MS = 2_000;

const TAKE_CHAT_LOCK = `UPDATE executions SET holds_turn = 1, credits = COALESCE(?, credits) WHERE id = ? AND status = 'running'
  AND attempt = ? AND NOT EXISTS (SELECT 1 FROM executions AS holder WHERE holder.flow_id = executions.flow_id
    AND holder.chat_id = executions.chat_id AND holder.holds_turn = 1)`;

/**
 * The log of executions (description section 1; contract section 8): one INSERT at the beginning of a call, one
 * conditional UPDATE at its end, with the listeners' work in the same transaction.
 */
@Injectable()
export class ExecutionLog implements OnModuleDestroy {
  private readonly settledListeners: SettledListener[] = [];
  private readonly cancelListeners: CancelListener[] = [];
  private readonly changeListeners: ((executionId: string) => void)[] = [];

  constructor(
    private readonly presence: ProcessPresence,
    private readonly traces: NodeTraces,
    private readonly unopened: UnopenedCalls,
    private readonly presentedKeys: PresentedKeys,
  ) {}

  /** Writes the running record. Returns false if another execution holds the chat's lock that the draft takes. */
  async open(tx: Tx, draft: ExecutionDraft): Promise<boolean> {
    return (await this.openAll(tx, [draft])).has(draft.id);
  }

  /** Writes several records in one statement and returns the ids written. */
  async openAll(tx: Tx, drafts: readonly ExecutionDraft[]): Promise<Set<string>> {
    const written = await insertOpened(tx, drafts, this.presence.id);
    for (const { id } of drafts) this.changed(id);
    return new Set(written);
  }

  /**
   * Takes the chat's lock for an open record and sets its price if it has none yet. Returns false while another holds
   * the lock. Throws `RunInterrupted` for an attempt that is over: it would wait for ever, or never release the lock.
   */
  async takeChatLock(tx: Tx, run: RunAttempt, credits?: number): Promise<boolean> {
    if ((await tx.run(TAKE_CHAT_LOCK, [credits ?? null, run.executionId, run.attempt])) === 1) return true;
    await fence(tx, run);
    return false;
  }

  /**
   * Ends a running record (or a waiting one, unless it would wait again), releases the chat's lock and calls the
   * listeners. Returns false if it had ended before.
   */
  async settle(tx: Tx, executionId: string, outcome: Outcome, attempt?: number): Promise<boolean> {
    const ending = { executionId, outcome, ...(attempt === undefined ? {} : { attempt }) };
    return (await this.settleAll(tx, [ending])).has(executionId);
  }

  /** Ends several records in one statement and returns the ids that ended now. */
  async settleAll(tx: Tx, endings: readonly RecordEnding[]): Promise<Set<string>> {
    const settled = await updateSettled(tx, endings);
    for (const execution of settled) {
      for (const listener of this.settledListeners) await listener(tx, execution);
      this.changed(execution.id);
    }
    return new Set(settled.map(({ id }) => id));
  }

  /** Sets the HTTP status that the caller was sent, in a record with exactly this ending. */
  async correctStatus(tx: Tx, executionId: string, ending: Outcome): Promise<void> {
    const { httpStatus, status, finishedAt } = ending;
    await tx.run('UPDATE executions SET http_status = ? WHERE id = ? AND status = ? AND finished_at = ?', [
      ...[httpStatus, executionId, status, finishedAt],
    ]);
  }

  /** Registers a listener in the settling transaction of every execution: refund, release of a claim. */
  onSettled(listener: SettledListener): void {
    this.settledListeners.push(listener);
  }

  /** Notes a refund in the record, in the transaction of the refund. */
  async noteRefund(tx: Tx, executionId: string, credits: number): Promise<void> {
    await tx.run('UPDATE executions SET refunded = ? WHERE id = ?', [credits, executionId]);
  }

  /** Registers a listener that can cancel executions of this process. */
  onCancel(listener: CancelListener): void {
    this.cancelListeners.push(listener);
  }

  /** Cancels an execution in this process. Returns false if no listener runs it. */
  cancelHere(executionId: string): boolean {
    return this.cancelListeners.map((listener) => listener(executionId)).some((stopped) => stopped);
  }

  /** Records a call that opened no record, grouped with others within 50 ms. */
  refuse(call: UnopenedCall): void {
    this.unopened.add(call);
    this.changed(call.id);
  }

  /** Returns a writer for the node runs of an execution, grouped within 50 ms; the same `runId` replaces its row. */
  trace(executionId: string, writer: RunAttempt = { executionId, attempt: 1 }): ExecutionTrace {
    return this.traces.open(executionId, writer);
  }

  /** Resolves once everything from `trace` and `refuse` is durable, or after two seconds. */
  async flush(): Promise<void> {
    const patience = new AbortController();
    const tooLong = wait(FLUSH_MS, undefined, { signal: patience.signal }).catch(() => undefined);
    const refusals = this.presentedKeys.settled().then(() => this.unopened.flush());
    await Promise.race([Promise.all([this.traces.flush(), refusals]), tooLong]);
    patience.abort();
  }

  /** Registers a listener for records that may have changed; their transaction may still be open. */
  onChanged(listener: (executionId: string) => void): void {
    this.changeListeners.push(listener);
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.traces.close(), this.unopened.close()]);
  }

  private changed(executionId: string): void {
    for (const listener of this.changeListeners) listener(executionId);
  }
}
