import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { problemBodyOf } from '../../common/http/problem.filter.js';
import { Logger } from '../../common/logger.js';
import type { ServiceError } from '../../common/service-error.js';
import type { Tx } from '../../database/tx.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { AsyncRunStore } from '../async/async-run-store.js';
import { outcomeOf } from '../call-outcome.js';
import type { Outcome } from '../execution.js';
import { ExecutionLog } from '../log/execution-log.js';
import type { EndOfWaiting } from './approval.js';

const WAITS = `SELECT 1 FROM executions WHERE id = ? AND status = 'waiting'`;

const CLOSE = `UPDATE run_stops SET decision = ?, decided_at = ? WHERE execution_id = ? AND decision IS NULL`;

/**
 * Outcomes of runs that end without a click. The caller had an answer (200), so nothing is refunded, except if the flow
 * was deleted: then the service failed the run.
 */
const ENDINGS: Readonly<Record<EndOfWaiting, Pick<Outcome, 'status' | 'httpStatus'>>> = {
  expired: { status: 'failed', httpStatus: 200 },
  cancelled: { status: 'aborted', httpStatus: 200 },
  flow_deleted: { status: 'failed', httpStatus: 500 },
};

/** Ends runs that wait for a human without a click. */
@Injectable()
export class WaitingRuns {
  constructor(
    private readonly log: ExecutionLog,
    private readonly asyncRuns: AsyncRunStore,
    private readonly gate: WriteGate,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /**
   * Closes the approval, ends the record, and reports the problem to an async caller at its address and by its
   * callback. Returns false, with nothing changed, if the run does not wait: it has ended, or a click was faster.
   */
  async end(tx: Tx, executionId: string, type: EndOfWaiting, error: ServiceError): Promise<boolean> {
    const outcome = outcomeOf(error, this.clock.now(), ENDINGS[type]);
    await tx.run(CLOSE, [type, outcome.finishedAt, executionId]);
    // Read after the statement that waits for a concurrent click: if that decided, the record runs again.
    if (!(await tx.one(WAITS, [executionId])) || !(await this.log.settle(tx, executionId, outcome)))
      return false;
    await this.asyncRuns.endAgain(tx, executionId, { error: problemBodyOf(error, executionId) });
    return true;
  }

  /**
   * Ends each run in its own transaction. A failure (such as a refund that throws) is logged; the others are ended
   * anyway, and the next round retries it.
   */
  async endEach(executionIds: readonly string[], type: EndOfWaiting, error: ServiceError): Promise<void> {
    await Promise.all(
      executionIds.map((executionId) =>
        this.gate
          .write((tx) => this.end(tx, executionId, type, error))
          .catch((cause: unknown) =>
            this.logger.error({ err: cause, executionId }, 'a run that waits for a human could not be ended'),
          ),
      ),
    );
  }
}
