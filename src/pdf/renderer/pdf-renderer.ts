import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { timeLimit } from '../../common/time-limit.js';
import { workerFile } from '../../common/worker-file.js';
import type { AmendTask, DrawTask } from './draw-worker.js';
import type { DrawingProgress } from './page/page-renderer.js';
import type { ReportJob, ReportOutcome } from './render-job.js';

interface PdfRendererOptions {
  /** Documents drawn at the same time. */
  readonly threads?: number;
  /** A drawing that takes longer is stopped. */
  readonly timeLimitMs?: number;
  /** Heap of one drawing in MiB. A drawing that needs more fails; the process does not. */
  readonly memoryLimitMb?: number;
  /** A worker that is idle for this long is ended, so that an idle service stays small. */
  readonly idleTimeoutMs?: number;
}

interface RenderOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: DrawingProgress) => void;
}

type RenderFailure = 'aborted' | 'too_slow' | 'out_of_memory' | 'failed';

/** No document was made. The cause is the worker's error; it may name files and is for the log only. */
export class RenderError extends Error {
  constructor(
    readonly failure: RenderFailure,
    options: { cause: unknown },
  ) {
    super(SENTENCES[failure], options);
    this.name = 'RenderError';
  }
}

const SENTENCES: Readonly<Record<RenderFailure, string>> = {
  aborted: 'The drawing was stopped.',
  too_slow: 'The drawing took longer than its time limit.',
  out_of_memory: 'The drawing needed more memory than its limit.',
  failed: 'The document could not be drawn.',
};

/** Small, because most of what a drawing allocates dies at once and a larger young generation only delays its collection. */
const YOUNG_GENERATION_MB = 16;

/**
 * Draws reports in worker threads that start with the first one. The PDF is written to `outputPath`; only its figures come
 * back. A drawing has a time limit, a memory limit and an optional signal, and its failure does not harm another.
 */
export class PdfRenderer {
  private pool: Piscina<DrawTask, ReportOutcome> | undefined;

  constructor(private readonly options: PdfRendererOptions = {}) {}

  /** Overwrites bytes of a drawn file with a text of the same length and returns the SHA-256 (hex) of the file. */
  async amend(task: AmendTask, signal?: AbortSignal): Promise<string> {
    const workers: Piscina<unknown, unknown> = this.workers();
    return (await workers.run(task, { name: 'amend', ...(signal ? { signal } : {}) })) as string;
  }

  /** Builds a report from a claim's contents, draws and seals it. Throws `RenderError`. */
  async render(job: ReportJob, { signal, onProgress }: RenderOptions = {}): Promise<ReportOutcome> {
    const timeout = timeLimit(this.options.timeLimitMs ?? 120_000);
    const { port1, port2 } = new MessageChannel();
    port1.on('message', (progress: DrawingProgress) => onProgress?.(progress));
    port1.unref();
    try {
      const outcome = await this.workers().run(
        { job, progress: port2 },
        { transferList: [port2], signal: signal ? AbortSignal.any([signal, timeout]) : timeout },
      );
      // On a busy machine the outcome arrives before the last of the progress, which uses another port.
      for (let last = receiveMessageOnPort(port1); last; last = receiveMessageOnPort(port1))
        onProgress?.(last.message as DrawingProgress);
      return outcome;
    } catch (error) {
      throw new RenderError(failureOf(error, timeout, signal), { cause: error });
    } finally {
      port1.close();
    }
  }

  /** Stops the workers. Drawings under way fail as aborted. */
  async close(): Promise<void> {
    const { pool } = this;
    this.pool = undefined;
    await pool?.destroy();
  }

  private workers(): Piscina<DrawTask, ReportOutcome> {
    this.pool ??= new Piscina<DrawTask, ReportOutcome>({
      ...workerFile(import.meta.url, 'draw-worker'),
      minThreads: 0,
      maxThreads: this.options.threads ?? 1,
      idleTimeout: this.options.idleTimeoutMs ?? 20_000,
      resourceLimits: {
        maxOldGenerationSizeMb: this.options.memoryLimitMb ?? 768,
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      },
    });
    return this.pool;
  }
}

function failureOf(error: unknown, timeout: AbortSignal, signal: AbortSignal | undefined): RenderFailure {
  if (signal?.aborted) return 'aborted';
  if (timeout.aborted) return 'too_slow';
  const { code, message } = error as { code?: string; message?: string };
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return 'out_of_memory';
  return message === 'Terminating worker thread' ? 'aborted' : 'failed';
}
