import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { shuttingDown } from '../../common/health/readiness.js';
import { DecoderPool } from './decoder-pool.js';
import {
  endingOf,
  type PictureJob,
  type PictureLane,
  type RunningPicture,
  type TaskEnd,
  whyStop,
} from './picture-job.js';
import { type PictureCaller, PictureSlots } from './picture-slots.js';
import {
  FaultyPicture,
  type Picture,
  type PictureTask,
  type PrintStep,
  undecodable,
  undrawable,
} from './picture.js';

const LOOK_MS = 50;

/**
 * Makes print renditions in processes of their own, admitted by estimated memory and scheduled fairly between callers
 * (contract section 5, record 0045). The header decides which pictures are light: two of them run at a time, in reserved
 * memory. A light picture that exceeds its estimate is stopped and retried as a heavy one. A picture that exceeds the
 * whole memory budget is recorded and never drawn.
 */
@Injectable()
export class PictureWorkers implements OnApplicationShutdown {
  private readonly pool: DecoderPool;
  private readonly slots: Readonly<Record<PictureLane, PictureSlots>> = {
    light: new PictureSlots(),
    heavy: new PictureSlots(),
  };
  private readonly waiting = new Set<PictureJob>();
  private readonly running = new Set<RunningPicture>();
  private look: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {
    this.pool = new DecoderPool(config.pictureMemoryMb);
  }

  /**
   * Checks the picture at `path` and writes its rendition to `renditionPath` if it is `drawable`. Throws `FaultyPicture`
   * for a picture that is refused.
   */
  normalise(path: string, renditionPath: string, caller: PictureCaller): Promise<Picture> {
    return this.queue({ path, renditionPath, maxPixels: this.config.maxPixels }, caller);
  }

  /** Writes the print rendition at `path`, turned clockwise by `turn` degrees. */
  turn(path: string, renditionPath: string, turn: number, caller: PictureCaller): Promise<Picture> {
    return this.queue({ path, renditionPath, turn, maxPixels: this.config.maxPixels }, caller);
  }

  /** Writes the print rendition at `path`, reduced to at most this size. */
  reduce(path: string, renditionPath: string, step: PrintStep, caller: PictureCaller): Promise<Picture> {
    return this.queue({ path, renditionPath, reduce: step, maxPixels: this.config.maxPixels }, caller);
  }

  private queue(task: PictureTask, caller: PictureCaller): Promise<Picture> {
    if (this.closed) return Promise.reject(stopping());
    return new Promise((resolve, reject) => {
      this.waiting.add({
        task,
        caller,
        lane: 'light',
        megabytes: this.pool.lightMb,
        since: this.clock.elapsed(),
        displaced: 0,
        resolve,
        reject,
      });
      this.dispatch();
    });
  }

  onApplicationShutdown(): Promise<void> {
    this.closed = true;
    for (const job of this.waiting) job.reject(stopping());
    this.waiting.clear();
    for (const { process } of this.running) process.kill();
    this.pool.close();
    clearInterval(this.look);
    return Promise.resolve();
  }

  /** Starts waiting pictures in scheduling order while the memory budget allows. */
  private dispatch(): void {
    for (const lane of ['heavy', 'light'] as const) {
      const heavyWaits = lane === 'light' && !this.candidates('heavy').next().done;
      for (;;) {
        const job = this.slots[lane].next(this.candidates(lane));
        if (job === undefined || !this.pool.admits(job, this.running, heavyWaits)) break;
        this.begin(job);
      }
    }
    if (this.running.size > 0) this.look ??= setInterval(() => this.supervise(), LOOK_MS).unref();
    else {
      clearInterval(this.look);
      this.look = undefined;
    }
  }

  private *candidates(lane: PictureLane): Generator<PictureJob> {
    for (const job of this.waiting) {
      if (job.lane === lane && this.pool.mayRun(job, this.running)) yield job;
    }
  }

  private begin(job: PictureJob): void {
    this.waiting.delete(job);
    job.began = true;
    const process = this.pool.take(job, this.running);
    const now = this.clock.elapsed();
    const run: RunningPicture = { job, process, since: now };
    this.slots[job.lane].begin(job.caller, now);
    this.running.add(run);
    const task = { ...job.task, lightOnly: job.lane === 'light' };
    const started = () => (run.cpuBefore = process.use()?.cpuMs ?? 0);
    void process
      .run(task, { heard: (size) => (job.size = size), started })
      .then((ended) => this.ended(run, 'end' in ended ? ended.end : ended));
  }

  private ended(run: RunningPicture, end: TaskEnd): void {
    this.running.delete(run);
    this.pool.release(run.process, run.job.lane, 'resident' in end ? end.resident : 0);
    this.settle(run, end);
    if (!this.closed) this.dispatch();
  }

  private jobsIn(lane: PictureLane): PictureJob[] {
    const jobs = [...this.waiting, ...[...this.running].map(({ job }) => job)];
    return jobs.filter((job) => job.lane === lane);
  }

  private settle({ job, stopped }: RunningPicture, end: TaskEnd): void {
    if (this.closed) return job.reject(stopping());
    const ending = endingOf(job, end, stopped, this.pool.heavyMb);
    if ('picture' in ending) return job.resolve(ending.picture);
    if ('fault' in ending) return job.reject(new FaultyPicture(ending.fault));
    if ('error' in ending) return job.reject(new Error(ending.error));
    if ('again' in ending) {
      this.waiting.add({ ...job, ...ending.again, began: false, since: this.clock.elapsed() });
      return;
    }
    if (job.size === undefined) return job.reject(undecodable('cannot be decoded'));
    job.resolve(undrawable(job.size));
  }

  /** Kills processes that exceed memory or time, and those that delay a caller who uses less. */
  private supervise(): void {
    const now = this.clock.elapsed();
    for (const run of this.running) {
      if (run.stopped !== undefined) continue;
      const inLane = this.jobsIn(run.job.lane);
      run.stopped = whyStop(run, inLane, this.slots[run.job.lane], now);
      if (run.stopped !== undefined) run.process.kill();
    }
  }
}

const stopping = () => shuttingDown('The service is stopping. Send the batch again in a moment.');
