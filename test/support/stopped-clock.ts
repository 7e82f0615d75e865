import { Clock } from '../../src/common/clock.js';

/** Stands still until a test moves it. */
export class StoppedClock extends Clock {
  constructor(private instant = Date.parse('2026-11-21T09:30:00.000Z')) {
    super();
  }

  override now(): number {
    return this.instant;
  }

  advance(ms: number): void {
    this.instant += ms;
  }

  set(epochMs: number): void {
    this.instant = epochMs;
  }
}
