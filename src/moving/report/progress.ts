import type { Clock } from '../../common/clock.js';

const EVERY_MS = 2_000;

/** Prints the progress of a long move, at most one line in two seconds. */
export class Progress {
  private printedAt: number;

  constructor(
    private readonly clock: Pick<Clock, 'elapsed'>,
    private readonly print: (line: string) => void,
  ) {
    this.printedAt = clock.elapsed();
  }

  /** Prints `messages: 20000 of 100000`; `what` is in the plural. */
  step(what: string, done: number, all: number): void {
    const now = this.clock.elapsed();
    if (now - this.printedAt < EVERY_MS) return;
    this.printedAt = now;
    this.print(`${what}: ${done} of ${all}\n`);
  }
}
