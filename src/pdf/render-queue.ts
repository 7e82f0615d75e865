import { ServiceError } from '../common/service-error.js';

/** Runs so many tasks at once and lets the others wait in the order of their arrival. */
export class RenderQueue {
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  constructor(
    private readonly atOnce: number,
    private readonly mostWaiting: number,
  ) {}

  /** 503 `overloaded` while the line is full; asked before anything is claimed. */
  requireRoom(): void {
    if (this.waiting.length < this.mostWaiting) return;
    throw new ServiceError(
      503,
      'overloaded',
      'Too many reports wait to be drawn. Nothing was claimed; render again after the seconds in Retry-After.',
      { headers: { 'Retry-After': '10' } },
    );
  }

  /** Runs the task when its turn comes; a task whose signal is aborted before that is not begun. */
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
