import { once } from 'node:events';
/** A thread that polls `/health/live`, undisturbed by the work of the proof itself. */
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** Starts watching; `end()` resolves to `{ slowestMs, asked, failed }`. */
export function watchHealth(url) {
  return endedBy(new Worker(fileURLToPath(import.meta.url), { workerData: { url } }));
}

/** Returns `end()`, which stops a watching thread and resolves to its result. */
export const endedBy = (thread) => ({
  async end() {
    thread.postMessage('end');
    const [seen] = await once(thread, 'message');
    await thread.terminate();
    return seen;
  },
});

if (!isMainThread && workerData?.url) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const seen = { slowestMs: 0, asked: 0, failed: 0 };
  let over = false;
  const ask = () =>
    new Promise((resolve) => {
      const request = http.get(`${workerData.url}/health/live`, { agent }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode === 200));
      });
      request.on('error', () => resolve(false));
    });
  parentPort.once('message', () => (over = true));
  // The first ones warm up the thread itself.
  for (let warm = 0; warm < 20; warm++) await ask();
  while (!over) {
    const startedAt = performance.now();
    if (!(await ask())) seen.failed++;
    seen.asked++;
    seen.slowestMs = Math.max(seen.slowestMs, performance.now() - startedAt);
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
  parentPort.postMessage({ ...seen, slowestMs: Math.round(seen.slowestMs) });
}
