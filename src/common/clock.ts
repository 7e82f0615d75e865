import { Injectable } from '@nestjs/common';

/** The only asker of the time. Tests put another in its place. */
@Injectable()
export class Clock {
  private correction = 0;

  /** Epoch milliseconds, UTC. */
  now(): number {
    return this.machineNow() + this.correction;
  }

  /** The time of this machine, right or wrong: epoch milliseconds. */
  machineNow(): number {
    return Date.now();
  }

  /**
   * For comparison with the times of files, which another clock than `now()` gives where that is corrected: the earlier
   * of both (epoch ms), so that no file looks older than it is.
   */
  fileNow(): number {
    return this.now() - Math.max(0, this.correction);
  }

  /** From then on `now()` is so many milliseconds later than the machine's time; 0 takes a correction back. */
  correctBy(ms: number): void {
    this.correction = ms;
  }

  /** Milliseconds that only go forward, for durations. */
  elapsed(): number {
    return performance.now();
  }
}

/** ISO 8601 UTC with milliseconds, the form of every time in JSON. */
export const isoTime = (epochMs: number): string => new Date(epochMs).toISOString();
