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

/** Why the service killed a picture's process: too much memory, too much time, or another caller's turn. */
export type PictureStop = 'memory' | 'time' | 'turn';

export type PictureLane = 'light' | 'heavy';

/** A picture to be decoded. Megabytes are those that decoding it may take beside the process itself. */
export interface PictureJob {
  readonly task: PictureTask;
  readonly caller: PictureCaller;
  readonly lane: PictureLane;
  readonly megabytes: number;
  /** When it was queued in this lane, by the monotonic clock. */
  readonly since: number;
  /** It is being decoded. */
  began?: boolean;
  /** Times that it was put back for another caller. */
  readonly displaced: number;
  /** Known once its header was read. */
  size?: PictureSize;
  readonly resolve: (picture: Picture) => void;
  readonly reject: (error: Error) => void;
}

/** The child's answer: a result with the bytes that the process still holds, or an error of the service. */
export type DecodingEnd = { result: PictureResult; resident: number } | { error: string };

/** The end of a task: the child's answer, or the death of the process. */
export type TaskEnd = DecodingEnd | { died: string };

/** A process that decodes pictures, which hostile files may make grow, hang or crash. */
export type PictureProcess = WorkerProcess<PictureTask, DecodingEnd, PictureSize>;

/** The end of a job; `tooLarge` where no room would be enough. */
export type PictureEnding =
  | { picture: Picture }
  | { fault: PictureFault }
  | { error: string }
  | { again: Partial<Pick<PictureJob, 'lane' | 'megabytes' | 'displaced'>> }
  | { tooLarge: true };

/** How a process ends for want of memory: by the system, or by the allocator or V8 themselves. */
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
    // An estimate that exceeds the room by less than its margin may still fit: the process is killed where it grows
    // beyond.
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
  /** Milliseconds of processor that its process had used before; undefined until decoding begins. */
  cpuBefore?: number;
  stopped?: PictureStop | undefined;
}

/** Processor time, not wall-clock time: on a busy machine a light picture stays light. */
const LIGHT_CPU_MS = 700;
const HEAVY_CPU_MS = 60_000;
/** Wall-clock time, where the system does not tell the processor time. */
const PATIENCE_MS = 240_000;

/** How long a picture has run, and another caller has waited, before it is put back for that caller's turn. */
const WAIT_MS = 200;
/** A picture is put back this often at most, so that each one finishes. */
const MOST_DISPLACED = 2;

/** Undefined while it may continue. `jobs` are those of its lane, waiting and running. */
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

/** Whether another caller waits who asks for less than the owner of this picture. */
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
