import { declareBudget } from '../../common/budgets/budget.js';
import { defaults } from '../../common/environment.js';
import { WorkerProcess } from '../../common/processes/worker-process.js';
import type { PictureJob, PictureLane, PictureProcess, RunningPicture } from './picture-job.js';
import { LIGHT, PROCESS_MB } from './picture-need.js';

const TOTAL_BYTES = defaults.PICTURE_MEMORY_MB * 1024 * 1024;

declareBudget({
  name: 'memory of pictures that are decoded, with their processes',
  unit: 'bytes',
  owner: 'caller',
  share: TOTAL_BYTES,
  total: TOTAL_BYTES,
  variable: 'PICTURE_MEMORY_MB',
  beyond: 'the picture waits; one that alone needs more is printed as a placeholder',
  reason: 'Three processes at a time, at most two for one caller; callers and their sessions take turns.',
});

const MOST_LIGHT = 2;
const MOST_HEAVY = 2;
const MOST_RUNNING = 3;
const IDLE_MS = 30_000;
/** The most resident megabytes of an idle process. One that holds more is ended, since it would not return the memory. */
const IDLE_MB = 110;

const V8_FLAGS = ['--max-old-space-size=192', '--max-semi-space-size=2'];
/** Limits arenas and threads, so that freed memory is returned to the system. */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '2' };

/** Starts a process that decodes pictures. */
export const startPictureProcess = (): PictureProcess =>
  new WorkerProcess({
    ...{ importMetaUrl: import.meta.url, name: 'decoding-worker' },
    ...{ v8Flags: V8_FLAGS, env: ENVIRONMENT },
  });

/**
 * The decoding processes and their memory budget, `totalMb` for all. Heavy pictures never use the memory reserved for one
 * light picture. The third place never goes to a caller who has one already, so that another caller finds it free.
 */
export class DecoderPool {
  readonly lightMb = LIGHT.megabytes;
  /** The most memory that a decoded picture may need. */
  readonly heavyMb: number;
  private readonly idle: Readonly<Record<PictureLane, PictureProcess[]>> = { light: [], heavy: [] };
  private closing: NodeJS.Timeout | undefined;

  constructor(private readonly totalMb: number) {
    this.heavyMb = totalMb - 2 * PROCESS_MB - this.lightMb;
  }

  /** Returns true if the limits per caller allow one more picture of this kind, regardless of memory. */
  mayRun({ caller, lane }: PictureJob, running: ReadonlySet<RunningPicture>): boolean {
    const own = [...running].filter(({ job }) => job.caller.who === caller.who);
    if (running.size >= MOST_RUNNING || (running.size === MOST_RUNNING - 1 && own.length > 0)) return false;
    return lane === 'light' || own.every(({ job }) => job.lane !== 'heavy');
  }

  /** Returns true if the memory budget allows the picture now. */
  admits(job: PictureJob, running: ReadonlySet<RunningPicture>, heavyWaits: boolean): boolean {
    const [light, heavy] = [jobsOf('light', running), jobsOf('heavy', running)];
    const fits = memoryOf([...light, ...heavy, job]) <= this.totalMb;
    // While a heavy one waits, no second light one starts, so that the heavy one gets the memory.
    if (job.lane === 'light') return fits && light.length < (heavyWaits ? 1 : MOST_LIGHT);
    const leavesLight = memoryOf([...heavy, job]) + PROCESS_MB + this.lightMb <= this.totalMb;
    return fits && leavesLight && heavy.length < MOST_HEAVY;
  }

  /** Returns an idle process, else a new one; ends idle processes that do not fit into memory beside it. */
  take(job: PictureJob, running: ReadonlySet<RunningPicture>): PictureProcess {
    clearTimeout(this.closing);
    const process = takeUsable(this.idle[job.lane]) ?? startPictureProcess();
    const { light, heavy } = this.idle;
    const taken = memoryOf([...running].map((run) => run.job)) + memoryOf([job]);
    while (taken + (light.length + heavy.length) * IDLE_MB > this.totalMb) {
      const surplus = heavy.pop() ?? light.pop();
      if (surplus === undefined) break;
      surplus.kill();
    }
    return process;
  }

  /** Leaves a process idle for a while, or ends it if it is not to be reused. `resident` is in bytes. */
  release(process: PictureProcess, lane: PictureLane, resident: number): void {
    const most = lane === 'light' ? MOST_LIGHT : 1;
    if (process.usable && resident <= IDLE_MB * 1e6 && this.idle[lane].length < most)
      this.idle[lane].push(process);
    else process.kill();
    clearTimeout(this.closing);
    this.closing = setTimeout(() => this.close(), IDLE_MS).unref();
  }

  close(): void {
    clearTimeout(this.closing);
    for (const list of [this.idle.light, this.idle.heavy]) {
      for (const process of list.splice(0)) process.kill();
    }
  }
}

/** Returns an idle process that is still alive; one may have died meanwhile. */
function takeUsable(idle: PictureProcess[]): PictureProcess | undefined {
  for (let process = idle.pop(); process !== undefined; process = idle.pop()) {
    if (process.usable) return process;
  }
  return undefined;
}

const jobsOf = (lane: PictureJob['lane'], running: ReadonlySet<RunningPicture>): PictureJob[] =>
  [...running].map(({ job }) => job).filter((job) => job.lane === lane);

const memoryOf = (jobs: readonly PictureJob[]): number =>
  jobs.reduce((sum, { megabytes }) => sum + PROCESS_MB + megabytes, 0);
