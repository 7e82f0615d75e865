import { Piscina } from 'piscina';
import { Budget, type BudgetDefinition } from '../budgets/budget.js';
import { timeLimit } from '../time-limit.js';
import { workerFile } from '../worker-file.js';
import { TaskQueue } from './task-queue.js';

/** The limits of work that may never end. Each task has a thread of its own, which ends with it. */
interface ThreadLimits {
  /** The file of the work beside the importer, without its extension: see `workerFile`. */
  readonly importMetaUrl: string;
  readonly name: string;
  /** The time limit of one task. */
  readonly ms: number;
  readonly heapMb: number;
  readonly atOnce: number;
  /** The budget of tasks that run or wait. */
  readonly places: BudgetDefinition;
}

/** A task was ended because it exceeded its time or memory. */
export class ThreadEnded extends Error {}

/**
 * Runs work of unknown cost in threads with limits of time, memory and number. Runs one task of an owner at a time, so that
 * an owner of many tasks delays others by one task at most.
 */
export class LimitedThreads<Task, Result> {
  private readonly queue: TaskQueue;
  private readonly places: Budget;
  private readonly latest = new Map<string, Promise<Result>>();

  constructor(private readonly limits: ThreadLimits) {
    this.queue = new TaskQueue(limits.atOnce);
    this.places = new Budget(limits.places);
  }

  /** Throws `QuotaExceeded` or 503 `overloaded` beyond the budget, and `ThreadEnded` when the work exceeds its limits. */
  async run(task: Task, owner: string): Promise<Result> {
    const leave = this.places.take(owner, 1);
    const result = this.runAfter(this.latest.get(owner), task);
    this.latest.set(owner, result);
    try {
      return await result;
    } finally {
      leave();
      if (this.latest.get(owner) === result) this.latest.delete(owner);
    }
  }

  private async runAfter(before: Promise<Result> | undefined, task: Task): Promise<Result> {
    await before?.catch(() => undefined);
    return this.queue.run(() => this.runNow(task), NEVER);
  }

  private async runNow(task: Task): Promise<Result> {
    const { importMetaUrl, name, ms, heapMb } = this.limits;
    const thread = new Piscina<Task, Result>({
      ...workerFile(importMetaUrl, name),
      minThreads: 1,
      maxThreads: 1,
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    try {
      return await thread.run(task, { signal: timeLimit(ms) });
    } catch (error) {
      throw new ThreadEnded('the work was ended', { cause: error });
    } finally {
      await thread.destroy();
    }
  }
}

const NEVER = new AbortController().signal;
