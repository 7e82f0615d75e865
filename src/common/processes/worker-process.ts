import { type ChildProcess, type SerializationType, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { workerFile } from '../worker-file.js';
import type { FromChild, ToChild } from './child-worker.js';

/** `name` is the file beside the importer, without its extension: see `workerFile`. */
export interface ProcessFile {
  readonly importMetaUrl: string;
  readonly name: string;
  readonly v8Flags: readonly string[];
  /** All of its environment: no secret of the service is passed on. */
  readonly env?: Readonly<Record<string, string>>;
  /** `advanced` where bytes go in; `json` when absent. */
  readonly serialization?: SerializationType;
}

/** The end of a task: the child's answer, or the death of the process in the system's words (a signal, an exit code). */
export type ProcessEnd<End> = { end: End } | { died: string };

/** The use of a process as the system measures it: megabytes in memory, milliseconds of processor since its start. */
export interface ProcessUse {
  readonly megabytes: number;
  readonly cpuMs: number;
}

const PAGE_BYTES = 4096;
const TICK_MS = 10;

/**
 * A process for work that may grow, hang or crash, one task at a time: it can be killed at any moment, which frees all
 * its memory, and holds neither a secret nor a connection. Its file calls `serveTasks`. While idle it does not keep the
 * service from exiting.
 */
export class WorkerProcess<Task, End, Note = never> {
  /** False once it is gone, or where whoever uses it says so. */
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

  /** Never throws: a death is an answer. `started` is called when the task begins, `heard` with each note of the child. */
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

  /** Kills it, whatever it is doing. */
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

  /** Calls that the service answers itself have priority. */
  lowerPriority(): void {
    try {
      if (this.child.pid !== undefined) setPriority(this.child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
      // It is gone already, or the system does not allow it.
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
