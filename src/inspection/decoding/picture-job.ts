import { MARGIN } from '../photos/picture-need.js';
import {
  type Picture,
  type PictureFault,
  type PictureSize,
  type PictureTask,
  undecodable,
} from '../photos/picture.js';
import type { TaskEnd } from './picture-process.js';
import type { PictureCaller } from './picture-turns.js';

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
  /** How often it was put back for another caller's turn. */
  readonly displaced: number;
  /** Known once its header was read. */
  size?: PictureSize;
  readonly resolve: (picture: Picture) => void;
  readonly reject: (error: Error) => void;
}

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
