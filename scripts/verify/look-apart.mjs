import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** Of looking into one file. What asks for more is no report of ours. */
const LONGEST_MS = 60_000;
const MOST_BYTES = 1536 * 1024 * 1024;
const WATCH_MS = 50;

/**
 * `look` at a file in a thread of its own, within bounds of time and memory: a file may be made to hurt whoever opens it.
 * `{ why }` where it could not be read so.
 */
export function lookApart(file) {
  const bytes = new Uint8Array(file);
  const before = process.memoryUsage.rss();
  const began = performance.now();
  const worker = new Worker(new URL(import.meta.url), { workerData: bytes, transferList: [bytes.buffer] });
  return new Promise((resolve) => {
    const end = (found) => {
      clearInterval(watch);
      void worker.terminate();
      resolve(found);
    };
    const watch = setInterval(() => {
      if (performance.now() - began > LONGEST_MS) end({ why: 'it took longer than a minute' });
      else if (process.memoryUsage.rss() - before > MOST_BYTES) end({ why: 'it took too much memory' });
    }, WATCH_MS);
    worker.once('message', end);
    worker.once('error', (error) => end({ why: error.message }));
    worker.once('exit', () => end({ why: 'reading it broke off' }));
  });
}

if (!isMainThread) {
  const { look } = await import('./pictures.mjs');
  parentPort.postMessage(await look(workerData).catch((error) => ({ why: error.message })));
}
