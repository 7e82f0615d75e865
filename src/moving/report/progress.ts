import type { Clock } from '../../common/clock.js';

const EVERY_MS = 2_000;

/** Lines that say how far a long move is, at most one in two seconds; a short move says none. */
export class Progress {
  private toldAt: number;

  constructor(
    private readonly clock: Pick<Clock, 'elapsed'>,
    private readonly tell: (line: string) => void,
  ) {
    this.toldAt = clock.elapsed();
  }

  /** `what` in the plural: `messages: 20000 of 100000`. */
  step(what: string, done: number, all: number): void {
    const now = this.clock.elapsed();
    if (now - this.toldAt < EVERY_MS) return;
    this.toldAt = now;
    this.tell(`${what}: ${done} of ${all}\n`);
  }
}
