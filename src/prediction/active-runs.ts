import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { shuttingDown } from '../common/readiness.js';
import type { ActiveRun, StopReason } from './active-run.js';

/** Time that running flows have to end by themselves when the service stops (contract section 8). */
const LAST_CALL_MS = 8_000;

/** Then they are stopped, and have this long to write how they ended. */
const CLOSING_MS = 4_000;

/** The calls that are waiting or running in this process. */
@Injectable()
export class ActiveRuns implements OnModuleDestroy {
  /** How long the service waits for running flows before it interrupts them. */
  lastCallMs = LAST_CALL_MS;
  private readonly runs = new Map<string, ActiveRun>();
  private stopping = false;
  private emptied: (() => void) | undefined;

  get count(): number {
    return this.runs.size;
  }

  /** Throws 503 once the service is stopping. */
  add(run: ActiveRun): void {
    this.refuseWhileStopping();
    this.runs.set(run.executionId, run);
  }

  refuseWhileStopping(): void {
    if (this.stopping) throw shuttingDown();
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

  /** The service stops: no new runs, running ones may end, then they are interrupted (and refunded). */
  async onModuleDestroy(): Promise<void> {
    this.stopping = true;
    if (await this.emptyWithin(this.lastCallMs)) return;
    for (const run of this.runs.values()) run.stop('interrupted');
    await this.emptyWithin(CLOSING_MS);
  }

  private async emptyWithin(ms: number): Promise<boolean> {
    if (this.runs.size === 0) return true;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.emptied = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
    return this.runs.size === 0;
  }
}
