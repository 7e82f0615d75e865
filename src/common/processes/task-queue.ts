import { Overloaded } from '../service-error.js';

/** Runs a limited number of tasks at once and queues the others in the order of their arrival. */
export class TaskQueue {
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  constructor(
    private readonly atOnce: number,
    private readonly mostWaiting = Infinity,
    /** The message of the error when the queue is full. */
    private readonly full = '',
  ) {}

  /** Tasks that wait. */
  get length(): number {
    return this.waiting.length;
  }

  /** Throws 503 `overloaded` while the queue is full; call it before any work begins. */
  requireNotFull(): void {
    if (this.waiting.length < this.mostWaiting) return;
    throw new Overloaded(this.full, 10);
  }

  /** Runs the task once a place is free. A task whose signal is aborted before that does not begin. */
  async run<Value>(task: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
    if (this.running >= this.atOnce) await new Promise<void>((go) => this.waiting.push(go));
    else this.running++;
    try {
      signal.throwIfAborted();
      return await task();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }
}
