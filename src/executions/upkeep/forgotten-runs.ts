import { Injectable } from '@nestjs/common';
import { Logger } from '../../common/logger.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { ProcessPresence } from '../../database/presence/process-presence.js';
import { LateWrites } from '../../database/writes/late-writes.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { RunningCalls } from '../calls/running-calls.js';
import { Takeover } from '../calls/takeover.js';
import type { RunAttempt } from '../run-fence.js';

/**
 * Hands over runs that belong to this process by their records but that it does not run: the commit of their takeover
 * was unknown, or the database was away at their handover. Nobody else takes them while this process lives.
 */
@Injectable()
export class ForgottenRuns {
  /** Runs found by the previous check. */
  private suspects: ReadonlySet<string> = new Set();

  constructor(
    private readonly gate: WriteGate,
    private readonly reader: DatabaseReader,
    private readonly presence: ProcessPresence,
    private readonly takeover: Takeover,
    private readonly calls: RunningCalls,
    private readonly lateWrites: LateWrites,
    private readonly logger: Logger,
  ) {}

  /** Hands over runs found in two checks in a row: between two steps of a call one check may find it. */
  async handOver(): Promise<void> {
    const forgotten = (await this.owned()).filter((run) => this.isForgotten(run));
    const before = this.suspects;
    this.suspects = new Set(forgotten.map(attemptName));
    for (const run of forgotten) {
      if (!before.has(attemptName(run))) continue;
      try {
        await this.handOverOne(run);
      } catch (error) {
        this.logger.error({ err: error, ...run }, 'a run that nothing here runs could not be handed over');
      }
    }
  }

  private async handOverOne(run: RunAttempt): Promise<void> {
    const given = await this.gate.write(async (tx) => this.isForgotten(run) && this.takeover.giveUp(tx, run));
    if (given) this.logger.warn(run, 'handed over a run that nothing here ran');
  }

  private owned(): Promise<RunAttempt[]> {
    const { ids } = this.presence;
    return this.reader.all<RunAttempt>(
      `SELECT id AS "executionId", attempt FROM executions WHERE status = 'running' AND outlives_process = 1
       AND process_id IN (${ids.map(() => '?').join(', ')})`,
      [...ids],
    );
  }

  /** A run is not forgotten while its end or handover waits to be written. */
  private isForgotten({ executionId }: RunAttempt): boolean {
    const { calls, takeover, lateWrites } = this;
    return !calls.find(executionId) && !takeover.isUnderWay(executionId) && !lateWrites.areAbout(executionId);
  }
}

const attemptName = ({ executionId, attempt }: RunAttempt): string => `${executionId} ${attempt}`;
