import { Injectable } from '@nestjs/common';

/** The only reader of the time. Tests replace it. */
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
   * Returns a time to compare with the times of files (epoch ms). Files have the machine's time, which differs from
   * `now()` when that is corrected; the earlier of both makes no file look older than it is.
   */
  fileNow(): number {
    return this.now() - Math.max(0, this.correction);
  }

  /** Makes `now()` differ from the machine's time by so many milliseconds; 0 removes the correction. */
  correctBy(ms: number): void {
    this.correction = ms;
  }

  /** Milliseconds that only go forward, for durations. */
  elapsed(): number {
    return performance.now();
  }
}
