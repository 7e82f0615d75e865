import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ProcessPresence } from '../database/process-presence.js';
import type { Tx } from '../database/tx.js';
import type { ExecutionDraft, Outcome, SettledExecution } from './execution.js';
import { type ExecutionTrace, NodeTraces } from './node-traces.js';
import { recordText } from './recorded-value.js';
import { type UnopenedCall, UnopenedCalls } from './unopened-calls.js';

export type SettledListener = (tx: Tx, settled: SettledExecution) => Promise<void>;

/** Stops the execution if it runs in this process, and answers whether it does. */
export type CancelListener = (executionId: string) => boolean;

const OPEN = `INSERT INTO executions (id, kind, flow_id, flow_name, chat_id, account, status, started_at, credits,
  caller_address, caller_api_key_id, caller_origin, question, replay_of, resumes, process_id, holds_turn)
  VALUES (?, ?, ?, ?, ?, ?, 'running', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;

const TAKE_TURN = `UPDATE executions SET holds_turn = 1, credits = ? WHERE id = ? AND status = 'running'
  AND NOT EXISTS (SELECT 1 FROM executions AS holder WHERE holder.flow_id = executions.flow_id
    AND holder.chat_id = executions.chat_id AND holder.holds_turn = 1)`;

const settleFrom = (
  statuses: string,
) => `UPDATE executions SET status = ?, http_status = ?, code = ?, error = ?,
  failed_node_id = ?, failed_node_label = ?, answer = ?, first_token_ms = ?, input_tokens = ?, output_tokens = ?,
  finished_at = ?, duration_ms = ? - started_at, holds_turn = NULL
  WHERE id = ? AND status IN (${statuses}) RETURNING kind, flow_id, chat_id, account, credits`;

const SETTLE_RUNNING = settleFrom(`'running'`);
const SETTLE = settleFrom(`'running', 'waiting'`);

interface SettledRow {
  kind: SettledExecution['kind'];
  flow_id: string | null;
  chat_id: string | null;
  account: string | null;
  credits: number;
}

/**
 * The shared log of executions (description section 1; contract section 8): one INSERT when a call begins, one
 * conditional UPDATE when it ends, and what others do at that moment in the same transaction.
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
   * Writes the running record. False, with nothing written, when the draft takes its chat's turn and another
   * execution holds it.
   */
  async open(tx: Tx, draft: ExecutionDraft): Promise<boolean> {
    const { caller } = draft;
    const inserted = await tx.run(OPEN, [
      draft.id,
      draft.kind,
      draft.flowId ?? null,
      draft.flowName ?? null,
      draft.chatId ?? null,
      draft.account ?? null,
      draft.startedAt,
      draft.credits,
      caller.address,
      caller.apiKeyId ?? null,
      caller.origin ?? null,
      recordText(draft.question),
      draft.replayOf ?? null,
      draft.resumes ?? null,
      this.presence.id,
      draft.takesTurn ? 1 : null,
    ]);
    this.changed(draft.id);
    return inserted === 1;
  }

  /** Gives a record that was opened without it its chat's turn and its price. False while another holds the turn. */
  async takeTurn(tx: Tx, executionId: string, credits: number): Promise<boolean> {
    return (await tx.run(TAKE_TURN, [credits, executionId])) === 1;
  }

  /**
   * Ends a running record (or a waiting one, unless it would wait again), frees the chat's turn and tells the
   * listeners. False, and nobody told, when it had ended before.
   */
  async settle(tx: Tx, executionId: string, outcome: Outcome): Promise<boolean> {
    const { failedNode, tokens } = outcome;
    const row = await tx.one<SettledRow>(outcome.status === 'waiting' ? SETTLE_RUNNING : SETTLE, [
      outcome.status,
      outcome.httpStatus,
      outcome.code ?? null,
      recordText(outcome.error),
      failedNode?.id ?? null,
      failedNode?.label ?? null,
      recordText(outcome.answer),
      outcome.firstTokenMs === undefined ? null : Math.round(outcome.firstTokenMs),
      tokens?.inputTokens ?? null,
      tokens?.outputTokens ?? null,
      outcome.finishedAt,
      outcome.finishedAt,
      executionId,
    ]);
    if (!row) return false;
    const settled: SettledExecution = {
      id: executionId,
      kind: row.kind,
      status: outcome.status,
      httpStatus: outcome.httpStatus,
      ...(outcome.code === undefined ? {} : { code: outcome.code }),
      flowId: row.flow_id,
      chatId: row.chat_id,
      account: row.account,
      credits: row.credits,
      finishedAt: outcome.finishedAt,
    };
    for (const listener of this.settledListeners) await listener(tx, settled);
    this.changed(executionId);
    return true;
  }

  /** What happens, inside the settling transaction, once to every execution that ends: refund, release of a claim. */
  onSettled(listener: SettledListener): void {
    this.settledListeners.push(listener);
  }

  /** Who can stop an execution that runs in this process. */
  onCancel(listener: CancelListener): void {
    this.cancelListeners.push(listener);
  }

  /** Asks this process's rooms to stop an execution; false when none of them runs it. */
  stopHere(executionId: string): boolean {
    return this.cancelListeners.map((listener) => listener(executionId)).some((stopped) => stopped);
  }

  /** Records a call that never opened a record, within 50 ms, in one statement with others like it. */
  refuse(call: UnopenedCall): void {
    this.unopened.add(call);
    this.changed(call.id);
  }

  /** Where the node runs of an execution go: written in groups within 50 ms; the same `runId` again replaces it. */
  trace(executionId: string): ExecutionTrace {
    return this.traces.of(executionId);
  }

  /** Resolves when everything given to `trace` and `refuse` so far is durable. */
  async flush(): Promise<void> {
    await Promise.all([this.traces.flush(), this.unopened.flush()]);
  }

  /** Tells that a record of this process may have changed (its transaction need not be committed yet). */
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
