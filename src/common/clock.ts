import { Injectable } from '@nestjs/common';

/** The only asker of the time. Tests put another in its place. */
@Injectable()
export class Clock {
  /** Epoch milliseconds, UTC. */
  now(): number {
    return Date.now();
  }

  /** Milliseconds that only go forward, for durations. */
  elapsed(): number {
    return performance.now();
  }
}

/** ISO 8601 UTC with milliseconds, the form of every time in JSON. */
export const isoTime = (epochMs: number): string => new Date(epochMs).toISOString();
