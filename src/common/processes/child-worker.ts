import { writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** A message to the child. */
export interface ToChild<Task> {
  task: Task;
}

export type FromChild<End, Note> = { ready: true } | { note: Note } | { end: End };

/** The tasks of a child. `answer` must not throw; it may call `note` to report progress. */
interface ServedTasks<Task, End, Note = never> {
  answer: (task: Task, note: (note: Note) => void) => Promise<End>;
  /** Awaited before the first task is taken. */
  prepared?: Promise<unknown>;
  /** A task may block the main thread, so a second thread watches whether the service is gone. */
  blocks?: boolean;
}

const LOOKS = `const { workerData: service } = require('node:worker_threads');
setInterval(() => process.ppid === service || process.kill(process.pid, 'SIGKILL'), 500);`;

/** The child's side of a `WorkerProcess`: answers its tasks, one after another, until the service ends. */
export function serveTasks<Task, End, Note = never>({
  answer,
  prepared = Promise.resolve(),
  blocks = false,
}: ServedTasks<Task, End, Note>): void {
  const send = (message: FromChild<End, Note>): void => {
    process.send?.(message, () => undefined);
  };
  // The service passes its id, because it may be gone when this process starts.
  const service = Number(process.argv.at(-1));
  const limits = { resourceLimits: { maxOldGenerationSizeMb: 8 }, execArgv: [] };
  if (blocks) new Worker(LOOKS, { eval: true, workerData: service, ...limits }).unref();
  // If memory runs out, the system should kill this process and not the service.
  try {
    writeFileSync('/proc/self/oom_score_adj', '800');
  } catch {
    // Not Linux, or not allowed.
  }
  // The service decides when it ends, even where a terminal sends the signal to all processes.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => undefined);
  process.on('disconnect', () => process.exit());
  process.on('message', ({ task }: ToChild<Task>) => {
    void answer(task, (note) => send({ note })).then((end) => send({ end }));
  });
  void prepared.then(() => send({ ready: true }));
}
