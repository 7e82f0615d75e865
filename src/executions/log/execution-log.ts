import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { ProcessPresence } from '../../database/presence/process-presence.js';
import type { Tx } from '../../database/tx.js';
import type { ExecutionDraft, Outcome, SettledExecution } from '../execution.js';
import { fence, type RunAttempt } from '../run-fence.js';
import { type RecordEnding, insertOpened, updateSettled } from './execution-rows.js';
import { type ExecutionTrace, NodeTraces } from './node-traces.js';
import { type UnopenedCall, UnopenedCalls } from './unopened-calls.js';

export type SettledListener = (tx: Tx, settled: SettledExecution) => Promise<void>;

/** Stops the execution if it runs in this process, and answers whether it does. */
export type CancelListener = (executionId: string) => boolean;

const FLUSH_MS = 2_000;

const TAKE_CHAT_LOCK = `UPDATE executions SET holds_turn = 1, credits = COALESCE(?, credits) WHERE id = ? AND status = 'running'
  AND attempt = ? AND NOT EXISTS (SELECT 1 FROM executions AS holder WHERE holder.flow_id = executions.flow_id
    AND holder.chat_id = executions.chat_id AND holder.holds_turn = 1)`;

/**
 * The shared log of executions (description section 1; contract section 8): one INSERT when a call begins, one
 * conditional UPDATE when it ends, and the listeners' work for that moment, in the same transaction.
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
  ) {}

  /**
   * Writes the running record. False, with nothing written, when the draft takes its chat's turn and another execution
   * holds it.
   */
  async open(tx: Tx, draft: ExecutionDraft): Promise<boolean> {
    return (await this.openAll(tx, [draft])).has(draft.id);
  }

  /** Several records in one statement; answers the ids of those that were written. */
  async openAll(tx: Tx, drafts: readonly ExecutionDraft[]): Promise<Set<string>> {
    const written = await insertOpened(tx, drafts, this.presence.id);
    for (const { id } of drafts) this.changed(id);
    return new Set(written);
  }

  /**
   * Gives a record that was opened without it its chat's turn, and its price if it has none yet. False while another holds
   * the turn. Throws `RunInterrupted` for an attempt that is over: it would wait for ever, or never give the turn back.
   */
  async takeChatLock(tx: Tx, run: RunAttempt, credits?: number): Promise<boolean> {
    if ((await tx.run(TAKE_CHAT_LOCK, [credits ?? null, run.executionId, run.attempt])) === 1) return true;
    await fence(tx, run);
    return false;
  }

  /**
   * Ends a running record (or a waiting one, unless it would wait again), frees the chat's turn and calls the
   * listeners. False, without calling them, when it had ended before.
   */
  async settle(tx: Tx, executionId: string, outcome: Outcome, attempt?: number): Promise<boolean> {
    const ending = { executionId, outcome, ...(attempt === undefined ? {} : { attempt }) };
    return (await this.settleAll(tx, [ending])).has(executionId);
  }

  /** Several records in one statement; answers the ids of those that ended now. */
  async settleAll(tx: Tx, endings: readonly RecordEnding[]): Promise<Set<string>> {
    const settled = await updateSettled(tx, endings);
    for (const execution of settled) {
      for (const listener of this.settledListeners) await listener(tx, execution);
      this.changed(execution.id);
    }
    return new Set(settled.map(({ id }) => id));
  }

  /**
   * Corrects the HTTP status in the record of an execution with exactly this ending to the one that its caller was
   * sent.
   */
  async correctStatus(tx: Tx, executionId: string, ending: Outcome): Promise<void> {
    const { httpStatus, status, finishedAt } = ending;
    await tx.run('UPDATE executions SET http_status = ? WHERE id = ? AND status = ? AND finished_at = ?', [
      ...[httpStatus, executionId, status, finishedAt],
    ]);
  }

  /** Adds work for the settling transaction of every execution that ends, done once: refund, release of a claim. */
  onSettled(listener: SettledListener): void {
    this.settledListeners.push(listener);
  }

  /** Notes in the record how much of its price was given back; in the transaction that gives it back. */
  async noteRefund(tx: Tx, executionId: string, credits: number): Promise<void> {
    await tx.run('UPDATE executions SET refunded = ? WHERE id = ?', [credits, executionId]);
  }

  /** Adds a listener that can stop an execution of this process. */
  onCancel(listener: CancelListener): void {
    this.cancelListeners.push(listener);
  }

  /** Asks this process's rooms to stop an execution; false when none of them runs it. */
  cancelHere(executionId: string): boolean {
    return this.cancelListeners.map((listener) => listener(executionId)).some((stopped) => stopped);
  }

  /** Records a call that never opened a record, within 50 ms, in one statement with others like it. */
  refuse(call: UnopenedCall): void {
    this.unopened.add(call);
    this.changed(call.id);
  }

  /** A writer for the node runs of an execution, in groups within 50 ms; the same `runId` again replaces the row. */
  trace(executionId: string, writer: RunAttempt = { executionId, attempt: 1 }): ExecutionTrace {
    return this.traces.open(executionId, writer);
  }

  /**
   * Resolves when everything given to `trace` and `refuse` so far is durable; where the database is slow, after two
   * seconds: readers then get the rows that are there.
   */
  async flush(): Promise<void> {
    const patience = new AbortController();
    const tooLong = wait(FLUSH_MS, undefined, { signal: patience.signal }).catch(() => undefined);
    await Promise.race([Promise.all([this.traces.flush(), this.unopened.flush()]), tooLong]);
    patience.abort();
  }

  /** Adds a listener for records of this process that may have changed; their transaction may still be open. */
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
