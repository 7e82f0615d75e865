/**
 * Time from spawn to `/health/ready` (on a new data directory and on an existing one), and memory of an idle service.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { makePlace } from '../prove/support/place.mjs';
import { dist, freePort, nodeFlags, residentMb } from '../prove/support/service.mjs';
import { figure, median } from './support/measure.mjs';

const ROUNDS = Number(process.argv[2] ?? 5);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function startOnce(place, idleMs) {
  const port = await freePort();
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...nodeFlags, join(dist, 'main.js')], {
    cwd: place.dataDir,
    env: { PATH: process.env.PATH, PORT: String(port), DATA_DIR: place.dataDir, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
      await answer?.arrayBuffer();
      if (answer?.status === 200) break;
      if (child.exitCode !== null) throw new Error('the service ended at its start');
      await sleep(5);
    }
    const readyMs = performance.now() - startedAt;
    await sleep(idleMs);
    return { readyMs, rssMb: idleMs > 0 ? memoryOf(child.pid) : 0 };
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

/** In MB, if /proc is available. */
function memoryOf(pid) {
  try {
    return residentMb(pid);
  } catch {
    return Number.NaN;
  }
}

const [first, again, memory] = [[], [], []];
for (let round = 0; round < ROUNDS; round++) {
  const place = await makePlace('sqlite');
  try {
    first.push((await startOnce(place, 0)).readyMs);
    const { readyMs, rssMb } = await startOnce(place, 3_000);
    again.push(readyMs);
    memory.push(rssMb);
  } finally {
    await place.remove();
  }
}
console.log('\n# Start and idle memory (samples loaded)');
figure('first start to ready, new data directory (median)', median(first), ' ms', ['<=', 1500]);
figure('start to ready (median)', median(again), ' ms', ['<=', 1500]);
figure('idle memory after 3 s (median)', median(memory), ' MB', ['<=', 130]);
