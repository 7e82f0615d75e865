/** Runs one attack against one service, and compares its cost with an idle service of the same age. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { endedBy } from './health-watch.mjs';
import { PeakMemory } from './peak-memory.mjs';
import { makePlace } from './place.mjs';
import { atLeast, atMost } from './report.mjs';
import { replyFlow, startService } from './service.mjs';

const MOST_MB = 600;
const MOST_DELAY_MS = 100;
const LEAST_SERVED = 0.95;
/** An address that no attack comes from. */
const HONEST = '127.0.0.9';
const IDLE_MS = 2_000;
/** Long enough for the probe to measure, however short the attack. */
const LEAST_MS = 5_000;
/** A blocked service would never answer. */
const MOST_MS = 150_000;

/**
 * Calls health and sends honest calls until `end()`, which resolves to `{ healthMs, asked, served }`. Resolves after a
 * warm-up, which would take too long beside an attack on a slow machine.
 */
async function startProbe(url) {
  const thread = new Worker(fileURLToPath(import.meta.url), { workerData: { probe: url } });
  await once(thread, 'message');
  return endedBy(thread);
}

const p99 = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Infinity;

/** Pins this process to one core; the service started before has them all. */
function pin(cores) {
  if (availableParallelism() > 1) spawnSync('taskset', ['-acp', cores, String(process.pid)]);
}

/**
 * `attack`: `{ name, env?, prepare?(service), run(service, prepared), check?(proof, service, result), close?(prepared)
 * }`. The service lives, its process tree takes at most 600 MB more than idle, health answers within 100 ms of an idle
 * service's, and of others' calls at least 95 % are served.
 */
export async function bounded(proof, kind, attack) {
  const place = await makePlace(kind);
  const service = await startService(place, { INITIAL_CREDIT: '1000000', ...attack.env });
  service.place = place;
  await service.createFlow(replyFlow('honest'));
  const prepared = await attack.prepare?.(service);
  pin('1');
  const idle = await startProbe(service.url);
  await pause(IDLE_MS);
  const before = await idle.end();
  const memory = new PeakMemory(service.child.pid);
  const probe = await startProbe(service.url);
  const run = attack.run(service, prepared).then(
    (result) => ({ result }),
    (error) => ({ error }),
  );
  const [ended] = await Promise.all([
    Promise.race([run, pause(MOST_MS, undefined, { ref: false })]),
    pause(LEAST_MS),
  ]);
  const during = await probe.end();
  const megabytes = memory.end();
  pin(`0-${availableParallelism() - 1}`);
  const what = `${kind}: ${attack.name}`;
  proof.expect(`${what}: the process`, service.child.exitCode ?? service.child.signalCode, null);
  proof.expect(`${what}: memory at its peak, MB more`, megabytes, atMost(MOST_MB));
  proof.measure(
    `${what}: health, 99 % within, ms more`,
    Math.round(p99(during.healthMs) - p99(before.healthMs)),
    atMost(MOST_DELAY_MS),
  );
  const served = during.served / during.asked;
  proof.expect(`${what}: others that were served, of ${during.asked}`, served, atLeast(LEAST_SERVED));
  proof.expect(`${what}: it came to its end`, ended?.error?.message ?? (ended ? 'yes' : 'no'), 'yes');
  if (ended && !ended.error) await attack.check?.(proof, service, ended.result, prepared);
  await service.kill();
  await attack.close?.(prepared);
  await place.remove();
}

if (!isMainThread && workerData?.probe) {
  const { hostname, port } = new URL(workerData.probe);
  const agent = new http.Agent({ keepAlive: true, localAddress: HONEST });
  const seen = { healthMs: [], asked: 0, served: 0 };
  const call = (method, path, body) =>
    new Promise((resolve) => {
      const headers = { 'Content-Type': 'application/json' };
      const options = { agent, hostname, port, method, path, headers, timeout: 10_000 };
      const request = http.request(options, (response) =>
        response
          .resume()
          .once('end', () => resolve(response.statusCode === 200))
          .once('error', () => resolve(false)),
      );
      request.on('timeout', () => request.destroy()).on('error', () => resolve(false));
      request.end(body);
    });
  let over = false;
  const until = async (pauseMs, task) => {
    while (!over) {
      await task();
      await pause(pauseMs);
    }
  };
  parentPort.once('message', () => (over = true));
  const body = JSON.stringify({ question: 'Are you there?' });
  for (let warm = 0; warm < 10; warm++) await call('POST', '/api/v1/prediction/honest', body);
  parentPort.postMessage('ready');
  await Promise.all([
    until(10, async () => {
      const startedAt = performance.now();
      await call('GET', '/health/live');
      seen.healthMs.push(performance.now() - startedAt);
    }),
    until(50, async () => {
      seen.asked++;
      if (await call('POST', '/api/v1/prediction/honest', body)) seen.served++;
    }),
  ]);
  parentPort.postMessage(seen);
}
