import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Budget, declareBudget } from '../../common/budgets/budget.js';
import { Logger } from '../../common/logger.js';
import { Periodic } from '../../common/periodic.js';
import { TaskQueue } from '../../common/processes/task-queue.js';
import { ProcessPresence } from '../../database/presence/process-presence.js';
import { LateWrites } from '../../database/writes/late-writes.js';
import type { Flow } from '../../flows/definition/flow.js';
import { FlowWrites } from '../../flows/store/flow-writes.js';
import { CaseRunStore } from './case-run-store.js';
import { type CaseItem, CaseRunEnded, CaseRunner } from './case-runner.js';
import { CaseStore } from './case-store.js';

/** The items of a run and the version that they run against. */
export interface CaseRunOrder {
  flow: Flow;
  version: 'draft' | number;
  items: readonly CaseItem[];
  publicUrl: string;
}

const RUNS = declareBudget({
  name: 'runs of cases under way',
  unit: 'runs',
  owner: 'flow',
  share: 2,
  total: 8,
  beyond: '429 quota_exceeded; in all 503 overloaded',
  reason: 'A run holds the list of its cases; each loads one case at a time.',
});

const AT_ONCE = declareBudget({
  name: 'cases that run at once',
  unit: 'runs',
  owner: 'flow',
  share: 2,
  total: 3,
  beyond: 'the case waits',
  reason: 'Recorded cases only compute: callers always find the event loop free between two nodes.',
});

const EVERY_MS = 3_600_000;
const INTERRUPTED =
  'The service was stopped before these cases had ended. Charges of unfinished live cases were refunded. Run them again.';
const NOT_STORED = 'The service could not store the results. Run the cases again.';
const NOT_ENDED = 'runs of cases were not ended; the next process ends them';

/** Runs cases in the background, a few at a time, so that callers of flows do not wait for them. */
@Injectable()
export class CaseRuns implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly runs = new Budget(RUNS);
  private readonly places = new TaskQueue(AT_ONCE.total);
  private readonly underWay = new Map<string, { stop: AbortController; over: Promise<void> }>();
  private readonly sweeping: Periodic;

  constructor(
    private readonly store: CaseRunStore,
    private readonly cases: CaseStore,
    private readonly runner: CaseRunner,
    private readonly presence: ProcessPresence,
    private readonly lateWrites: LateWrites,
    private readonly logger: Logger,
    flows: FlowWrites,
  ) {
    this.sweeping = new Periodic(
      EVERY_MS,
      () => this.sweep(),
      (error) => logger.error({ err: error }, 'cases were not swept; retrying in an hour'),
    );
    flows.onRemoved(() => void this.sweeping.kick());
  }

  async onApplicationBootstrap(): Promise<void> {
    const interrupt = () =>
      this.store.interruptDead().catch((error: unknown) => this.logger.error({ err: error }, NOT_ENDED));
    this.presence.onGone(() => void interrupt());
    await interrupt();
    this.sweeping.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.sweeping.stop();
    const runs = [...this.underWay.entries()];
    for (const [, { stop }] of runs) stop.abort(new CaseRunEnded());
    const interrupt = (id: string) =>
      this.store
        .end(id, 'interrupted', INTERRUPTED)
        .catch((error: unknown) => this.logger.error({ err: error, runId: id }, NOT_ENDED));
    await Promise.all(runs.map(([id, { over }]) => over.then(() => interrupt(id))));
  }

  /** Starts a run and returns its id. Throws 429 and 503 beyond the budget. */
  async start(order: CaseRunOrder): Promise<string> {
    const leave = this.runs.take(order.flow.id, 1);
    try {
      const { id } = await this.store.begin(order.flow.id, order.version, order.items.length);
      const stop = new AbortController();
      const over = this.runAll(id, order, stop).finally(() => {
        leave();
        this.underWay.delete(id);
      });
      this.underWay.set(id, { stop, over });
      return id;
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Ends and deletes a run. Throws 404. */
  async remove(flowId: string, id: string): Promise<void> {
    await this.store.remove(flowId, id);
    this.underWay.get(id)?.stop.abort(new CaseRunEnded());
  }

  async sweep(): Promise<void> {
    while ((await this.cases.sweep()) > 0);
    await this.store.sweep();
  }

  /** Never rejects. An end that cannot be stored now is stored later. */
  private async runAll(runId: string, order: CaseRunOrder, stop: AbortController): Promise<void> {
    const { flow, publicUrl, items } = order;
    const context = { runId, flow, publicUrl, signal: stop.signal };
    const rest = items.entries();
    const work = async (): Promise<void> => {
      for (const [position, item] of rest)
        await this.places.run(() => this.runner.run(item, position, context), stop.signal);
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE.share }, work));
    } catch (error) {
      stop.abort(new CaseRunEnded());
      if (error instanceof CaseRunEnded) return;
      this.logger.error({ err: error, runId }, 'a run of cases failed');
      await this.endSoon(runId, 'interrupted', NOT_STORED);
      return;
    }
    await this.endSoon(runId, 'finished', null);
  }

  private endSoon(id: string, status: 'finished' | 'interrupted', error: string | null): Promise<void> {
    return this.lateWrites.attempt(`the end of the run of cases ${id}`, () =>
      this.store.end(id, status, error),
    );
  }
}
