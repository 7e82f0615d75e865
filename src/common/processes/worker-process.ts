import { type ChildProcess, type SerializationType, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { workerFile } from '../worker-file.js';
import type { FromChild, ToChild } from './child-worker.js';

/** The file of a process; `name` is that of a file beside the importer, without its extension (see `workerFile`). */
interface ProcessFile {
  readonly importMetaUrl: string;
  readonly name: string;
  readonly v8Flags: readonly string[];
  /** Its whole environment: no secret of the service is inherited. */
  readonly env?: Readonly<Record<string, string>>;
  /** `advanced` for tasks with bytes; `json` when absent. */
  readonly serialization?: SerializationType;
}

/** The end of a task: the child's answer, or the signal or exit code with which the process died. */
type ProcessEnd<End> = { end: End } | { died: string };

/** Resources of a process: resident megabytes, and milliseconds of processor time since its start. */
interface ProcessUse {
  readonly megabytes: number;
  readonly cpuMs: number;
}

const PAGE_BYTES = 4096;
const TICK_MS = 10;

/**
 * A process for work that may grow, hang or crash; it runs one task at a time. It can be killed at any moment, which frees
 * its memory, and holds no secret and no connection. Its file calls `serveTasks`. An idle process does not keep the service
 * from exiting.
 */
export class WorkerProcess<Task, End, Note = never> {
  /** False once the process is gone, or its user has retired it. */
  usable = true;
  private readonly child: ChildProcess;
  private readonly ready: Promise<void>;
  private settle: ((end: ProcessEnd<End>) => void) | undefined;
  private heard: ((note: Note) => void) | undefined;
  private gone: string | undefined;

  constructor({ importMetaUrl, name, v8Flags, env = {}, serialization = 'json' }: ProcessFile) {
    const { filename, execArgv = [] } = workerFile(importMetaUrl, name);
    const start = execArgv.length === 0 ? [filename] : ['-e', `require(${JSON.stringify(filename)})`];
    this.child = spawn(process.execPath, [...v8Flags, ...execArgv, ...start, String(process.pid)], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization,
      env,
    });
    this.ready = new Promise((resolve) => {
      this.child.on('message', (message: FromChild<End, Note>) => {
        if ('ready' in message) resolve();
        else if ('note' in message) this.heard?.(message.note);
        else this.settle?.(message);
      });
      this.child.once('exit', (code, signal) => {
        this.lost(signal ?? String(code));
        resolve();
      });
      this.child.on('error', (error) => {
        this.lost(error.message);
        resolve();
      });
    });
    this.release();
  }

  /** Never throws. Calls `started` when the task begins, and `heard` with each note of the child. */
  async run(
    task: Task,
    { started, heard }: { started?: () => void; heard?: (note: Note) => void } = {},
  ): Promise<ProcessEnd<End>> {
    this.child.ref();
    this.child.channel?.ref();
    await this.ready;
    if (this.gone !== undefined) return { died: this.gone };
    const ended = new Promise<ProcessEnd<End>>((resolve) => (this.settle = resolve));
    this.heard = heard;
    started?.();
    this.child.send({ task } satisfies ToChild<Task>, (error) => error && this.lost(error.message));
    const end = await ended;
    this.settle = undefined;
    this.release();
    return end;
  }

  /** Kills the process. */
  kill(): void {
    this.usable = false;
    this.child.kill('SIGKILL');
  }

  /** Returns the resources in use; undefined where the system does not report them. */
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

  /** Lowers the priority below that of the service. */
  lowerPriority(): void {
    try {
      if (this.child.pid !== undefined) setPriority(this.child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
      // The process is gone, or the system does not allow it.
    }
  }

  private release(): void {
    this.child.unref();
    this.child.channel?.unref();
  }

  private lost(how: string): void {
    this.usable = false;
    this.gone ??= how;
    this.settle?.({ died: how });
  }
}
