import { Injectable } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { Logger } from '../../common/logger.js';
import type { Overloaded } from '../../common/service-error.js';
import { LateWrites } from '../../database/writes/late-writes.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import type { CallContext } from '../../executions/calls/call-context.js';
import { EffectJournal, type FencedWrite } from '../../executions/calls/effect-journal.js';
import { pauseAfter, Takeover } from '../../executions/calls/takeover.js';

/** Thrown if a run that outlives its process cannot continue now: a part of the service is unavailable. */
export class RunHalted extends Error {
  constructor(
    override readonly cause: Overloaded,
    /** Writes of the journal still to be made. */
    readonly owed: readonly FencedWrite[],
  ) {
    super('the run cannot continue now', { cause });
    this.name = 'RunHalted';
  }
}

/** Hands over runs that cannot continue now; another process takes them when the service has recovered. */
@Injectable()
export class RunHandover {
  constructor(
    private readonly gate: WriteGate,
    private readonly takeover: Takeover,
    private readonly journal: EffectJournal,
    private readonly lateWrites: LateWrites,
    private readonly logger: Logger,
  ) {}

  /**
   * Hands a run over after a pause. Returns false, with nothing handed over, if the run is cancelled in the pause.
   * Never rejects: while the database is away the handover is a retried write.
   */
  async handOver(context: CallContext, owed: readonly FencedWrite[], cause: Overloaded): Promise<boolean> {
    const { executionId, attempt } = context;
    this.logger.warn({ err: cause, executionId, attempt }, 'a run cannot continue now: it is handed over');
    await wait(pauseAfter(context), undefined, { signal: context.signal }).catch(() => undefined);
    if (context.cancelReason !== undefined) return false;
    const write = () =>
      this.gate.write(async (tx) => {
        await this.journal.settle(tx, owed);
        await this.takeover.giveUp(tx, context);
      });
    await this.lateWrites.attempt(`the handover of run ${executionId}`, write, executionId);
    return true;
  }
}
