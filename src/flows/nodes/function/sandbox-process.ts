import { WorkerProcess } from '../../../common/processes/worker-process.js';
import { PATIENCE, type SandboxEnd, type SandboxTask, tookTooLong } from './sandboxed-code.js';

const V8_FLAGS = ['--max-old-space-size=96', '--max-semi-space-size=2'];
/** The additional time after which the process is killed, because a loop inside QuickJS itself cannot be interrupted. */
const GRACE_MS = 250;

/** The process died for another reason than the function. */
export class SandboxDied extends Error {}

/** A process that runs functions one at a time. It can be killed at any moment, and ends with the service. */
export class SandboxProcess {
  private readonly worker: WorkerProcess<SandboxTask, SandboxEnd>;

  constructor() {
    const file = { importMetaUrl: import.meta.url, name: 'sandbox-worker', v8Flags: V8_FLAGS };
    this.worker = new WorkerProcess(file);
    this.worker.lowerPriority();
  }

  /** False once the process is gone. */
  get usable(): boolean {
    return this.worker.usable;
  }

  /** Runs one task at a time. Throws `SandboxDied` when the process died by itself. */
  async run(task: SandboxTask): Promise<SandboxEnd> {
    const watch = { late: false, timer: undefined as NodeJS.Timeout | undefined };
    const started = () => {
      watch.timer = this.watch(task, () => (watch.late = true));
    };
    const ended = await this.worker.run(task, { started });
    clearInterval(watch.timer);
    if ('end' in ended) return ended.end;
    if (watch.late) return { error: tookTooLong(task.timeoutMs) };
    throw new SandboxDied(`The process of functions ended (${ended.died}).`);
  }

  kill(): void {
    this.worker.kill();
  }

  /** Kills the process when the function could not be interrupted. */
  private watch({ timeoutMs }: SandboxTask, late: () => void): NodeJS.Timeout {
    const [before, begun] = [this.worker.use()?.cpuMs, performance.now()];
    return setInterval(() => {
      const waited = performance.now() - begun;
      if (waited < timeoutMs + GRACE_MS) return;
      const now = this.worker.use()?.cpuMs;
      const used = now === undefined || before === undefined ? waited : now - before;
      if (used < timeoutMs + GRACE_MS && waited < timeoutMs * PATIENCE + GRACE_MS) return;
      late();
      this.kill();
    }, GRACE_MS / 2);
  }
}
