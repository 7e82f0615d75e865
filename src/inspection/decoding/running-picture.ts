import { mostResidentMb } from '../photos/picture-need.js';
import type { PictureJob, PictureStop } from './picture-job.js';
import type { PictureProcess } from './picture-process.js';
import type { PictureTurns } from './picture-turns.js';

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
  turns: PictureTurns,
  now: number,
): PictureStop | undefined {
  const use = run.cpuBefore === undefined ? undefined : run.process.use();
  if (use !== undefined) {
    if (use.megabytes > mostResidentMb(run.job.megabytes)) return 'memory';
    const most = run.job.lane === 'light' ? LIGHT_CPU_MS : HEAVY_CPU_MS;
    if (use.cpuMs - (run.cpuBefore ?? 0) > most) return 'time';
  }
  if (now - run.since > PATIENCE_MS) return 'time';
  return isDisplaced(run, jobs, turns, now) ? 'turn' : undefined;
}

/** Whether another caller waits who asks for less than the owner of this picture. */
function isDisplaced(
  { job, since }: RunningPicture,
  jobs: readonly PictureJob[],
  turns: PictureTurns,
  now: number,
): boolean {
  if (job.displaced >= MOST_DISPLACED || now - since < WAIT_MS) return false;
  const next = turns.next(jobs.filter((other) => !other.began));
  if (next === undefined || now - next.since < WAIT_MS) return false;
  return turns.asksForMore(job.caller, next.caller, jobs, now);
}
