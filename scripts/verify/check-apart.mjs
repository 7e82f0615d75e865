import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** Time limit for inspecting one file. No report of ours needs more. */
const LONGEST_MS = 60_000;
const MOST_BYTES = 1536 * 1024 * 1024;
const WATCH_MS = 50;

/**
 * Returns the `seals` of a file and the result `found` of its inspection (`sealsOf`, `inspect`), from a thread of its
 * own with bounded time and memory, since a file may be malicious. `found` is `{ why }` if it could not be inspected;
 * there are no seals if even these could not be read. `fingerprints` are those of the keys that the reader trusts.
 */
export function checkApart(file, fingerprints) {
  const bytes = new Uint8Array(file);
  const before = process.memoryUsage.rss();
  const began = performance.now();
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { bytes, fingerprints },
    transferList: [bytes.buffer],
  });
  let seals = [];
  return new Promise((resolve) => {
    const end = (found) => {
      clearInterval(watch);
      void worker.terminate();
      resolve({ seals, found });
    };
    const watch = setInterval(() => {
      if (performance.now() - began > LONGEST_MS) end({ why: 'it took longer than a minute' });
      else if (process.memoryUsage.rss() - before > MOST_BYTES) end({ why: 'it took too much memory' });
    }, WATCH_MS);
    worker.on('message', (message) => {
      if (message.found) end(message.found);
      else ({ seals } = message);
    });
    worker.once('error', (error) => end({ why: error.message }));
    worker.once('exit', () => end({ why: 'reading it broke off' }));
  });
}

if (!isMainThread) {
  const [{ sealsOf }, { sealedEnd }, { inspect }] = await Promise.all([
    import('./seals.mjs'),
    import('./verdict.mjs'),
    import('./inspect.mjs'),
  ]);
  const { bytes, fingerprints } = workerData;
  const trusted = new Set(fingerprints);
  const seals = sealsOf(bytes, (fingerprint) => trusted.has(fingerprint));
  parentPort.postMessage({ seals });
  parentPort.postMessage({ found: inspect(bytes, sealedEnd(seals)) });
}
