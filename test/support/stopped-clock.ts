import { Clock } from '../../src/common/clock.js';

/** Stands still until a test moves it. */
export class StoppedClock extends Clock {
  constructor(private instant = 1_800_000_000_000) {
    super();
  }

  override now(): number {
    return this.instant;
  }

  advance(ms: number): void {
    this.instant += ms;
  }
}
