import { WorkerProcess } from '../../common/processes/process-worker.js';
import type { PictureResult, PictureSize, PictureTask } from '../photos/picture.js';

/** The child's answer: a result with the bytes that the process still holds, or an error of the service. */
export type DecodingEnd = { result: PictureResult; resident: number } | { error: string };

/** The end of a task: a result, an error of the service, or the death of the process. */
export type TaskEnd = { result: PictureResult } | { error: string } | { died: string };

const V8_FLAGS = ['--max-old-space-size=192', '--max-semi-space-size=2'];
/** A process that still holds more than this after a picture is not used again: it would not give the memory back. */
const MOST_KEPT_BYTES = 110e6;
/** One arena and no more threads than needed, so that freed memory is returned. */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '2' };

/** A process for decoding pictures, which hostile files may make grow, hang or crash. */
export class PictureProcess {
  private readonly worker: WorkerProcess<PictureTask, DecodingEnd, PictureSize>;

  constructor() {
    this.worker = new WorkerProcess({
      ...{ importMetaUrl: import.meta.url, name: 'decoding-worker' },
      ...{ v8Flags: V8_FLAGS, env: ENVIRONMENT },
    });
  }

  /** False once it is gone, or too large to be used again. */
  get usable(): boolean {
    return this.worker.usable;
  }

  /**
   * One task at a time. Never throws: a death is an answer. `seen` is called with the size before anything is decoded,
   * `started` when decoding begins.
   */
  async run(
    task: PictureTask,
    { seen, started }: { seen: (size: PictureSize) => void; started: () => void },
  ): Promise<TaskEnd> {
    const ended = await this.worker.run(task, { started, heard: seen });
    if ('died' in ended) return ended;
    const { end } = ended;
    if ('result' in end && end.resident > MOST_KEPT_BYTES) this.worker.usable = false;
    return end;
  }

  /** Kills it, whatever it is doing. */
  kill(): void {
    this.worker.kill();
  }

  use(): ReturnType<WorkerProcess<PictureTask, DecodingEnd>['use']> {
    return this.worker.use();
  }
}
