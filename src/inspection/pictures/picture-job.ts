import type { WorkerProcess } from '../../common/processes/worker-process.js';
import { mostResidentMb, MARGIN } from './picture-need.js';
import type { PictureSlots, PictureCaller } from './picture-slots.js';
import {
  type Picture,
  type PictureFault,
  type PictureResult,
  type PictureSize,
  type PictureTask,
  undecodable,
} from './picture.js';

/** The reason the service killed a picture's process: too much memory or time, or fairness to another caller. */
export type PictureStop = 'memory' | 'time' | 'turn';

export type PictureLane = 'light' | 'heavy';

/** A picture to be decoded. `megabytes` is what decoding may take in addition to the process itself. */
export interface PictureJob {
  readonly task: PictureTask;
  readonly caller: PictureCaller;
  readonly lane: PictureLane;
  readonly megabytes: number;
  /** When it was queued in this lane, by the monotonic clock. */
  readonly since: number;
  /** It is being decoded. */
  began?: boolean;
  /** The number of times it was requeued for another caller. */
  readonly displaced: number;
  /** Known once its header was read. */
  size?: PictureSize;
  readonly resolve: (picture: Picture) => void;
  readonly reject: (error: Error) => void;
}

/** The child's answer: a result with the resident bytes of the process, or an error of the service. */
export type DecodingEnd = { result: PictureResult; resident: number } | { error: string };

/** The end of a task: the child's answer, or the death of the process. */
export type TaskEnd = DecodingEnd | { died: string };

/** A process that decodes pictures, which hostile files may make grow, hang or crash. */
export type PictureProcess = WorkerProcess<PictureTask, DecodingEnd, PictureSize>;

/** The end of a job; `tooLarge` if it exceeds the whole memory budget. */
export type PictureEnding =
  | { picture: Picture }
  | { fault: PictureFault }
  | { error: string }
  | { again: Partial<Pick<PictureJob, 'lane' | 'megabytes' | 'displaced'>> }
  | { tooLarge: true };

/** The signals and exit code of a process that ran out of memory: killed by the system, the allocator or V8. */
const OUT_OF_MEMORY: ReadonlySet<string> = new Set(['SIGKILL', 'SIGABRT', 'SIGTRAP', '134']);

/** `most` is the memory of the largest picture that is decoded. */
export function endingOf(
  job: PictureJob,
  end: TaskEnd,
  stopped: PictureStop | undefined,
  most: number,
): PictureEnding {
  if ('error' in end) return end;
  if ('result' in end) {
    if (!('needs' in end.result)) return end.result;
    const { megabytes } = end.result.needs;
    // An estimate within its margin of the budget may still fit: the process is killed if it grows beyond.
    if (megabytes > most * MARGIN) return { tooLarge: true };
    return { again: { lane: 'heavy', megabytes: Math.min(megabytes, most) } };
  }
  switch (stopped) {
    case 'turn':
      return { again: { displaced: job.displaced + 1 } };
    case 'memory':
      return job.megabytes >= most ? { tooLarge: true } : { again: { lane: 'heavy', megabytes: most } };
    case 'time':
      return job.lane === 'light'
        ? { again: { lane: 'heavy' } }
        : { fault: undecodable('takes too long to decode').fault };
    default:
      return OUT_OF_MEMORY.has(end.died)
        ? { tooLarge: true }
        : { fault: undecodable('cannot be decoded').fault };
  }
}

/** A picture that is being decoded. Times are milliseconds of the monotonic clock. */
export interface RunningPicture {
  readonly job: PictureJob;
  readonly process: PictureProcess;
  readonly since: number;
  /** CPU milliseconds that its process had used before; undefined until decoding begins. */
  cpuBefore?: number;
  stopped?: PictureStop | undefined;
}

/** CPU time, not wall-clock time, so that a light picture stays light on a busy machine. */
const LIGHT_CPU_MS = 700;
const HEAVY_CPU_MS = 60_000;
/** Wall-clock limit for systems that do not report CPU time. */
const PATIENCE_MS = 240_000;

/** Time that a picture has run, and another caller has waited, before it is requeued for that caller. */
const WAIT_MS = 200;
/** The most times that one picture is requeued, so that each one finishes. */
const MOST_DISPLACED = 2;

/** Returns the reason to stop a picture, if there is one. `jobs` are those of its lane, waiting and running. */
export function whyStop(
  run: RunningPicture,
  jobs: readonly PictureJob[],
  slots: PictureSlots,
  now: number,
): PictureStop | undefined {
  const use = run.cpuBefore === undefined ? undefined : run.process.use();
  if (use !== undefined) {
    if (use.megabytes > mostResidentMb(run.job.megabytes)) return 'memory';
    const most = run.job.lane === 'light' ? LIGHT_CPU_MS : HEAVY_CPU_MS;
    if (use.cpuMs - (run.cpuBefore ?? 0) > most) return 'time';
  }
  if (now - run.since > PATIENCE_MS) return 'time';
  return isDisplaced(run, jobs, slots, now) ? 'turn' : undefined;
}

/** Returns true if a waiting caller uses less than the owner of this picture. */
function isDisplaced(
  { job, since }: RunningPicture,
  jobs: readonly PictureJob[],
  slots: PictureSlots,
  now: number,
): boolean {
  if (job.displaced >= MOST_DISPLACED || now - since < WAIT_MS) return false;
  const next = slots.next(jobs.filter((other) => !other.began));
  if (next === undefined || now - next.since < WAIT_MS) return false;
  return slots.asksForMore(job.caller, next.caller, jobs, now);
}
