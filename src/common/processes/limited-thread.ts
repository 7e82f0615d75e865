import { Piscina } from 'piscina';
import { timeLimit } from '../time-limit.js';
import { workerFile } from '../worker-file.js';
import { TaskQueue } from './task-queue.js';

/** The limits of work that may never end: each task has a thread of its own, which is ended with it. */
export interface ThreadLimits {
  /** The file of the work beside the importer, without its extension: see `workerFile`. */
  readonly importMetaUrl: string;
  readonly name: string;
  /** The longest that one task computes. */
  readonly ms: number;
  readonly heapMb: number;
  readonly atOnce: number;
  readonly mostWaiting: number;
  /** The detail of the 503 while the queue is full. */
  readonly full: string;
}

/** A task was ended because it took too long or too much memory. */
export class ThreadEnded extends Error {}

/** Runs work of unknown cost apart from the main thread, within limits of time, memory and number. */
export class LimitedThreads<Task, Result> {
  private readonly queue: TaskQueue;

  constructor(private readonly limits: ThreadLimits) {
    this.queue = new TaskQueue(limits.atOnce, limits.mostWaiting, limits.full);
  }

  /** Throws 503 `overloaded` while the queue is full, `ThreadEnded` where the work exceeds its limits. */
  async run(task: Task): Promise<Result> {
    this.queue.requireRoom();
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
