import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Readiness, shuttingDown } from '../common/readiness.js';
import type { ActiveRun, StopReason } from './active-run.js';

/** The calls that are waiting or running in this process. */
@Injectable()
export class ActiveRuns implements OnModuleDestroy {
  private readonly runs = new Map<string, ActiveRun>();
  private emptied: (() => void) | undefined;

  constructor(private readonly readiness: Readiness) {
    readiness.onLastCallOver(() => {
      for (const run of this.runs.values()) run.stop('interrupted');
    });
  }

  get count(): number {
    return this.runs.size;
  }

  /** Throws 503 once the service is stopping. */
  add(run: ActiveRun): void {
    this.refuseWhileStopping();
    this.runs.set(run.executionId, run);
  }

  refuseWhileStopping(): void {
    if (this.readiness.isStopping) throw shuttingDown();
  }

  remove(run: ActiveRun): void {
    run.end();
    this.runs.delete(run.executionId);
    if (this.runs.size === 0) this.emptied?.();
  }

  find(executionId: string): ActiveRun | undefined {
    return this.runs.get(executionId);
  }

  /** Stops one execution; false when it does not run in this process. */
  stop(executionId: string, reason: StopReason): boolean {
    const run = this.runs.get(executionId);
    run?.stop(reason);
    return run !== undefined;
  }

  /** Stops everything that this chat has waiting or running here; answers the executions. */
  stopChat(flowId: string, chatId: string): string[] {
    const stopped = [...this.runs.values()].filter((run) => run.flowId === flowId && run.chatId === chatId);
    for (const run of stopped) run.stop('stopped');
    return stopped.map((run) => run.executionId);
  }

  /** The service stops: running flows may end, then they are interrupted (and refunded). */
  async onModuleDestroy(): Promise<void> {
    if (this.runs.size === 0) return;
    await this.readiness.waitFor(new Promise<void>((resolve) => (this.emptied = resolve)));
  }
}
