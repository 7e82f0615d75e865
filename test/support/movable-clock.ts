import { Clock } from '../../src/common/clock.js';

/** Stands still until a test moves it. */
export class MovableClock extends Clock {
  private time = Date.parse('2026-11-21T09:30:00.000Z');

  override now(): number {
    return this.time;
  }

  advance(ms: number): void {
    this.time += ms;
  }

  set(epochMs: number): void {
    this.time = epochMs;
  }
}
