import { writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** Messages to the child are wrapped, so that no task is mistaken for one of ours. */
export interface ToChild<Task> {
  task: Task;
}

export type FromChild<End, Note> = { ready: true } | { note: Note } | { end: End };

/** `answer` never throws. `note` tells the service something before the end. */
export interface ServedTasks<Task, End, Note = never> {
  answer: (task: Task, note: (note: Note) => void) => Promise<End>;
  /** Awaited before the first task is taken. */
  prepared?: Promise<unknown>;
  /** A task may hold the main thread, which then cannot see that the service is gone: a second thread watches. */
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
  // As the service said it: this process may begin when that is gone already.
  const service = Number(process.argv.at(-1));
  const limits = { resourceLimits: { maxOldGenerationSizeMb: 8 }, execArgv: [] };
  if (blocks) new Worker(LOOKS, { eval: true, workerData: service, ...limits }).unref();
  // Where memory runs out, the system should kill this process and not the service.
  try {
    writeFileSync('/proc/self/oom_score_adj', '800');
  } catch {
    // Not Linux, or not allowed: then it is not preferred.
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
