import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { problemBodyOf } from '../../common/http/problem.filter.js';
import { ServiceError } from '../../common/service-error.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { Tx } from '../../database/tx.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { type AsyncEnd, AsyncRunStore } from '../../executions/async/async-run-store.js';
import { outcomeOf } from '../../executions/calls/call-outcome.js';
import type { TakenRun } from '../../executions/calls/takeover.js';
import type { RunAttempt } from '../../executions/calls/run-fence.js';
import { ExecutionLog } from '../../executions/log/execution-log.js';
import type { PredictionEnding } from '../call/prediction-ending.js';
import type { StoredRun } from './stored-calls.js';

/** Stores how async runs ended, for later requests and their callbacks. */
@Injectable()
export class AsyncEnds {
  constructor(
    private readonly store: AsyncRunStore,
    private readonly log: ExecutionLog,
    private readonly gate: WriteGate,
    private readonly database: DatabaseReader,
    private readonly clock: Clock,
  ) {}

  /** The run, with its end stored, and told by a callback, in the transaction that ends it. */
  keptAtItsEnd<Run extends StoredRun>(run: Run): Run {
    const { executionId } = run.apiCall;
    const onEnded = async (tx: Tx, ending: PredictionEnding) => {
      const end = endOf(ending, executionId);
      await this.store.end(tx, executionId, end);
      if (run.answers) await this.store.endAgain(tx, run.answers.executionId, end);
    };
    return { ...run, onEnded };
  }

  /** Ends a run that no process can ever continue, so that none keeps trying: failed and refunded. */
  endUnrunnable(run: RunAttempt): Promise<void> {
    const detail =
      'The process that ran it ended, and its flow or what was sent is gone since: no other can go on with it.';
    return this.endInterrupted(run, detail);
  }

  /** Ends a run over which too many processes have died, before it takes the next one: failed and refunded. */
  endDeadly(run: TakenRun): Promise<void> {
    const detail = `${run.processDeaths} processes died while they ran it, so it is not tried again. It may need more memory than there is: let the flow do less at once, or send less.`;
    return this.endInterrupted(run, detail);
  }

  private async endInterrupted(run: RunAttempt, detail: string): Promise<void> {
    const error = new ServiceError(500, 'flow_failed', detail);
    const outcome = outcomeOf(error, this.clock.now(), { code: 'interrupted' });
    const end = { error: problemBodyOf(error, run.executionId) };
    await this.gate.write(async (tx) => {
      if ((await this.log.settleAll(tx, [{ ...run, outcome }])).size === 0) return;
      await this.store.end(tx, run.executionId, end);
      const first = await tx.one<{ resumes: string | null }>('SELECT resumes FROM executions WHERE id = ?', [
        run.executionId,
      ]);
      if (!first?.resumes) return;
      // The record that had waited is that of the same run: it ends, and is refunded, with it.
      await this.log.settle(tx, first.resumes, outcome);
      await this.store.endAgain(tx, first.resumes, end);
    });
  }

  async hasEnded(executionId: string): Promise<boolean> {
    const sql = 'SELECT status FROM executions WHERE id = ?';
    const row = await this.database.one<{ status: string }>(sql, [executionId]).catch(() => RUNNING);
    return row?.status !== 'running';
  }
}

const RUNNING = { status: 'running' };

const endOf = (ending: PredictionEnding, executionId: string): AsyncEnd =>
  'answer' in ending ? { answer: ending.answer } : { error: problemBodyOf(ending.error, executionId) };
