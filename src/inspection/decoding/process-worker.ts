import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { workerFile } from '../../common/worker-file.js';
import type { PictureResult, PictureSize, PictureTask } from '../photos/picture.js';

export type ToChild = PictureTask;

export type FromChild =
  | { ready: true }
  /** The header was read; comes before anything is decoded. */
  | { seen: PictureSize }
  | { result: PictureResult; resident: number }
  | { error: string };

/** How a task ended: answered, failed for a reason of ours, or the process is gone. */
export type TaskEnd = { result: PictureResult } | { error: string } | { died: string };

/** What the system says of a process: megabytes in memory, milliseconds of processor since its start. */
export interface ProcessUse {
  readonly megabytes: number;
  readonly cpuMs: number;
}

const V8_FLAGS = ['--max-old-space-size=192', '--max-semi-space-size=2'];
/** What a process still holds after a picture: with more it is not used again, since it would not give it back. */
const MOST_KEPT_BYTES = 110e6;
const PAGE_BYTES = 4096;
const TICK_MS = 10;

/**
 * A process for decoding pictures, which hostile files may make grow, hang or crash: it can be ended at any moment,
 * gives all its memory back then, and holds neither a secret nor a connection.
 */
export class PictureProcess {
  /** False once it is gone, or too large to be used again. */
  usable = true;
  private readonly child: ChildProcess;
  private readonly ready: Promise<void>;
  private settle: ((end: TaskEnd) => void) | undefined;
  private seen: ((size: PictureSize) => void) | undefined;
  private gone: string | undefined;

  constructor() {
    const { filename, execArgv = [] } = workerFile(import.meta.url, 'decoding-worker');
    const start = execArgv.length === 0 ? [filename] : ['-e', `require(${JSON.stringify(filename)})`];
    this.child = spawn(process.execPath, [...V8_FLAGS, ...execArgv, ...start], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'json',
      // One arena and no thread more than needed: memory that is freed is given back. No secret goes along.
      env: { MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '2' },
    });
    this.ready = new Promise((resolve) => {
      this.child.on('message', (message: FromChild) => {
        if ('ready' in message) resolve();
        else this.hear(message);
      });
      this.child.once('error', () => resolve());
      this.child.once('exit', (code, signal) => {
        this.lost(signal ?? String(code));
        resolve();
      });
    });
    this.child.on('error', (error) => this.lost(error.message));
    this.child.unref();
    this.child.channel?.unref();
  }

  /** One task at a time. Never throws: a death is an answer. `started` is called when decoding begins. */
  async run(
    task: PictureTask,
    { seen, started }: { seen: (size: PictureSize) => void; started: () => void },
  ): Promise<TaskEnd> {
    this.child.ref();
    this.child.channel?.ref();
    await this.ready;
    if (this.gone !== undefined) return { died: this.gone };
    const ended = new Promise<TaskEnd>((resolve) => (this.settle = resolve));
    this.seen = seen;
    started();
    this.child.send(task satisfies ToChild, (error) => error && this.lost(error.message));
    const end = await ended;
    this.settle = undefined;
    this.child.unref();
    this.child.channel?.unref();
    return end;
  }

  /** Ends it at once, whatever it is doing. */
  kill(): void {
    this.usable = false;
    this.child.kill('SIGKILL');
  }

  /** Undefined where the system does not say. */
  use(): ProcessUse | undefined {
    try {
      const stat = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8');
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      return {
        megabytes: (fields[21]! * PAGE_BYTES) / 1e6,
        cpuMs: (fields[11]! + fields[12]!) * TICK_MS,
      };
    } catch {
      return undefined;
    }
  }

  private hear(message: Exclude<FromChild, { ready: true }>): void {
    if ('seen' in message) return this.seen?.(message.seen);
    if ('result' in message && message.resident > MOST_KEPT_BYTES) this.usable = false;
    this.settle?.(message);
  }

  private lost(how: string): void {
    this.usable = false;
    this.gone ??= how;
    this.settle?.({ died: how });
  }
}
