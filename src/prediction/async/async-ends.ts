import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { problemBodyOf } from '../../common/http/problem.filter.js';
import { ServiceError } from '../../common/service-error.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { Tx } from '../../database/tx.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { type AsyncEnd, AsyncRunStore } from '../../executions/async/async-run-store.js';
import { outcomeOf } from '../../executions/call-outcome.js';
import { RunningCalls } from '../../executions/calls/running-calls.js';
import type { TakenRun } from '../../executions/calls/takeover.js';
import type { Outcome } from '../../executions/execution.js';
import { ExecutionLog } from '../../executions/log/execution-log.js';
import type { RunAttempt } from '../../executions/run-fence.js';
import type { PredictionEnding } from '../call/answer-form.js';
import { cancellationError } from '../call/prediction-answer.js';
import { type StoredRun, StoredCalls } from './stored-calls.js';

/** Stores the ends of async runs, for later requests and their callbacks. */
@Injectable()
export class AsyncEnds {
  constructor(
    private readonly store: AsyncRunStore,
    private readonly log: ExecutionLog,
    private readonly gate: WriteGate,
    private readonly database: DatabaseReader,
    private readonly calls: StoredCalls,
    private readonly running: RunningCalls,
    private readonly clock: Clock,
  ) {}

  /** Returns the run with a listener that stores its end, in the transaction that ends it. */
  storedAtItsEnd<Run extends StoredRun>(run: Run): Run {
    const { executionId } = run.apiCall;
    const onEnded = async (tx: Tx, ending: PredictionEnding) => {
      const end = endOf(ending, executionId);
      await this.store.end(tx, executionId, end);
      if (run.answers) await this.store.endAgain(tx, run.answers.executionId, end);
    };
    return { ...run, onEnded };
  }

  /** Ends and refunds a run that no process can continue. */
  async endUnrunnable(run: RunAttempt): Promise<void> {
    if (!(await this.database.one(FLOW_OF, [run.executionId]))) return this.endQueued(run.executionId);
    const detail =
      'The process that ran it ended, and its stored call is gone: no other process can resume it.';
    return this.endFailed(run, detail, 'interrupted');
  }

  /** Ends and refunds a run with too many process deaths, before it kills another one. */
  endDeadly(run: TakenRun): Promise<void> {
    const detail = `${run.processDeaths} processes died while they ran it, so it is not retried. It may need more memory than there is: let the flow do less at once, or send less.`;
    return this.endFailed(run, detail, 'processes_died');
  }

  /** Aborts and refunds a run of a deleted flow that has not begun. Changes nothing once it holds its chat's lock. */
  async endQueued(executionId: string): Promise<void> {
    const error = cancellationError('flow_deleted');
    const requestKey = await this.store.requestKey(executionId);
    const ended = await this.gate.write(async (tx) => {
      const outcome = outcomeOf(error, this.clock.now(), { status: 'aborted' });
      return (
        (await tx.one(QUEUED, [executionId])) !== undefined &&
        this.settle(tx, { executionId }, outcome, error)
      );
    });
    if (!ended) return;
    this.running.cancel(executionId, 'flow_deleted');
    await this.removeCall(executionId, requestKey);
  }

  private async endFailed(
    run: RunAttempt,
    detail: string,
    code: 'interrupted' | 'processes_died',
  ): Promise<void> {
    const requestKey = await this.store.requestKey(run.executionId);
    const error = new ServiceError('flow_failed', detail);
    const outcome = outcomeOf(error, this.clock.now(), { code });
    await this.gate.write((tx) => this.settle(tx, run, outcome, error));
    await this.removeCall(run.executionId, requestKey);
  }

  /** Settles a run and the record that waited for it. Returns false, with nothing changed, if it had ended. */
  private async settle(
    tx: Tx,
    run: { executionId: string; attempt?: number },
    outcome: Outcome,
    error: ServiceError,
  ): Promise<boolean> {
    const { executionId } = run;
    if ((await this.log.settleAll(tx, [{ ...run, outcome }])).size === 0) return false;
    const end = { error: problemBodyOf(error, executionId) };
    await this.store.end(tx, executionId, end);
    const first = await tx.one<{ resumes: string | null }>('SELECT resumes FROM executions WHERE id = ?', [
      executionId,
    ]);
    if (!first?.resumes) return true;
    await this.log.settle(tx, first.resumes, outcome);
    await this.store.endAgain(tx, first.resumes, end);
    return true;
  }

  /** Deletes the stored call of an ended run; `storage:audit` finds any that a crash leaves. */
  async removeCall(executionId: string, requestKey: string | undefined): Promise<void> {
    if (requestKey === undefined || !(await this.hasEnded(executionId))) return;
    await this.calls.remove({ requestKey }).catch(() => undefined);
  }

  private async hasEnded(executionId: string): Promise<boolean> {
    const sql = 'SELECT status FROM executions WHERE id = ?';
    const row = await this.database.one<{ status: string }>(sql, [executionId]).catch(() => RUNNING);
    return row?.status !== 'running';
  }
}

const QUEUED = `SELECT 1 FROM executions WHERE id = ? AND status = 'running' AND holds_turn IS NULL`;

const FLOW_OF = 'SELECT 1 FROM flows WHERE id = (SELECT flow_id FROM executions WHERE id = ?)';

const RUNNING = { status: 'running' };

const endOf = (ending: PredictionEnding, executionId: string): AsyncEnd =>
  'answer' in ending ? { answer: ending.answer } : { error: problemBodyOf(ending.error, executionId) };
