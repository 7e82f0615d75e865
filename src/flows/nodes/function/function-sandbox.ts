import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { declareBudget } from '../../../common/budgets/budget.js';
import { Overloaded } from '../../../common/service-error.js';
import { SandboxDied, SandboxProcess } from './sandbox-process.js';
import type { SandboxEnd, SandboxTask } from './sandboxed-code.js';

interface Waiting {
  flowId: string;
  begin: () => void;
}

/** The flow of a function, and the signal that ends the wait for it. */
interface SandboxCaller {
  flowId: string;
  signal: AbortSignal;
}

const PROCESSES = declareBudget({
  name: 'functions that compute at a time',
  unit: 'calls',
  owner: 'flow',
  share: 3,
  total: 4,
  beyond: 'the function waits, a thousand of them at most; then 503 overloaded',
  reason: 'Each has a process with at most 64 MB and a second; one flow leaves a place to the others.',
});
const MOST_WAITING = 1_000;
/** Idle time after which a process is ended. */
const IDLE_MS = 30_000;

/**
 * Runs functions of flows in a few child processes, which start when they are needed (contract section 9). One flow never
 * takes all of them, and the next function is always one of the flow that runs the fewest, so that a bad function delays
 * others by at most one run.
 */
@Injectable()
export class FunctionSandbox implements OnModuleDestroy {
  private readonly idle: SandboxProcess[] = [];
  private readonly all = new Set<SandboxProcess>();
  private readonly waiting: Waiting[] = [];
  private readonly running = new Map<string, number>();
  private ending: NodeJS.Timeout | undefined;
  private closed = false;

  /** Runs a function. Rejects when the caller has left, or too many functions wait. */
  async run(task: SandboxTask, { flowId, signal }: SandboxCaller): Promise<SandboxEnd> {
    await this.takeSlot(flowId, signal);
    const ended = this.runNow(task).finally(() => this.leave(flowId));
    return new Promise((resolve, reject) => {
      const stop = () => reject(signal.reason as Error);
      signal.addEventListener('abort', stop, { once: true });
      ended.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
      if (signal.aborted) stop();
    });
  }

  onModuleDestroy(): void {
    this.closed = true;
    clearTimeout(this.ending);
    for (const process of this.all) process.kill();
  }

  /** Runs a function, and again when its process was killed from outside: a function has no external effects. */
  private async runNow(task: SandboxTask): Promise<SandboxEnd> {
    try {
      return await this.runOnce(task, this.takeIdle() ?? this.begin());
    } catch (error) {
      if (!(error instanceof SandboxDied) || this.closed) throw error;
      return await this.runOnce(task, this.begin());
    }
  }

  private async runOnce(task: SandboxTask, process: SandboxProcess): Promise<SandboxEnd> {
    try {
      return await process.run(task);
    } finally {
      if (process.usable && !this.closed) this.idle.push(process);
      else this.all.delete(process);
      this.endIdleLater();
    }
  }

  private takeIdle(): SandboxProcess | undefined {
    for (let process = this.idle.pop(); process; process = this.idle.pop()) {
      if (process.usable) return process;
      this.all.delete(process);
    }
    return undefined;
  }

  private begin(): SandboxProcess {
    const process = new SandboxProcess();
    this.all.add(process);
    return process;
  }

  private takeSlot(flowId: string, signal: AbortSignal): Promise<void> {
    if (this.mayBegin(flowId)) return Promise.resolve(this.enter(flowId));
    if (this.waiting.length >= MOST_WAITING)
      throw new Overloaded('Too many functions are waiting. Try again when fewer runs are in progress.', 2);
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        flowId,
        begin: () => {
          signal.removeEventListener('abort', leave);
          this.enter(flowId);
          resolve();
        },
      };
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.waiting.push(waiting);
    });
  }

  private get inUse(): number {
    let sum = 0;
    for (const count of this.running.values()) sum += count;
    return sum;
  }

  private countOf(flowId: string): number {
    return this.running.get(flowId) ?? 0;
  }

  private mayBegin(flowId: string): boolean {
    return this.inUse < PROCESSES.total && this.countOf(flowId) < PROCESSES.share;
  }

  private enter(flowId: string): void {
    this.running.set(flowId, this.countOf(flowId) + 1);
  }

  private leave(flowId: string): void {
    const left = this.countOf(flowId) - 1;
    if (left > 0) this.running.set(flowId, left);
    else this.running.delete(flowId);
    const able = this.waiting.filter((waiting) => this.mayBegin(waiting.flowId));
    const next = able.sort((one, other) => this.countOf(one.flowId) - this.countOf(other.flowId))[0];
    if (!next) return;
    this.waiting.splice(this.waiting.indexOf(next), 1);
    next.begin();
  }

  private endIdleLater(): void {
    clearTimeout(this.ending);
    this.ending = setTimeout(() => {
      for (const process of this.idle.splice(0)) {
        process.kill();
        this.all.delete(process);
      }
    }, IDLE_MS);
    this.ending.unref();
  }
}
