/** Starts the built service in its own process and calls it as any client would. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ADMIN_KEY, Client } from './client.mjs';

export { ADMIN_KEY };

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** The tested build: `PROVE_DIST` names another one, such as a mutant. */
export const dist = process.env.PROVE_DIST ?? join(root, 'dist');

/** The Node flags of `npm start`. */
export const nodeFlags = [
  '--max-semi-space-size=8',
  '--max-old-space-size=2000',
  '--heap-growing-percent=50',
];

/** Returns the resident memory of a process in MB, as counted by the operating system. */
export const residentMb = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

/** A proof that breaks off leaves no process behind. */
const children = new Set();
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')));

export async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Starts one process of the service on a place; several may share one database. `build` names another build's files.
 */
export async function startService(place, env = {}, build = dist) {
  const port = await freePort();
  const child = spawn(process.execPath, [...nodeFlags, join(build, 'main.js')], {
    cwd: place.workingDirectory ?? place.dataDir,
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATA_DIR: place.dataDir,
      DATABASE_URL: place.databaseUrl,
      ADMIN_API_KEY: ADMIN_KEY,
      LOG_LEVEL: 'warn',
      SAMPLES: 'off',
      UV_THREADPOOL_SIZE: '16',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (log = (log + chunk).slice(-20_000)));
  const startedAt = performance.now();
  const service = new Service(child, `http://127.0.0.1:${port}`, () => log);
  await service.waitUntilReady();
  service.readyAfterMs = performance.now() - startedAt;
  return service;
}

class Service extends Client {
  constructor(child, url, log) {
    super();
    this.child = child;
    this.url = url;
    this.log = log;
    this.ended = once(child, 'exit');
  }

  async waitUntilReady(limitMs = 60_000) {
    const until = performance.now() + limitMs;
    while (performance.now() < until) {
      if (this.child.exitCode !== null) throw new Error(`the service ended at its start:\n${this.log()}`);
      const answer = await this.request('GET', '/health/ready').catch(() => undefined);
      if (answer?.status === 200) return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error(`the service was not ready within ${limitMs} ms:\n${this.log()}`);
  }

  async stop() {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGTERM');
    await this.ended;
  }

  async kill() {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGKILL');
    await this.ended;
  }
}

/** start → capture → reply: records the photographs of its messages. */
export const albumFlow = (id) => ({
  id,
  name: id,
  nodes: [
    { id: 'start', kind: 'start', config: {} },
    { id: 'capture', kind: 'capture', config: { area: 'Hallway' } },
    { id: 'reply', kind: 'reply', config: { message: 'Recorded.' } },
  ],
  edges: [
    { from: 'start', to: 'capture' },
    { from: 'capture', to: 'reply' },
  ],
});

/** start → reply: the smallest flow. */
export const replyFlow = (id, extra = {}) => ({
  id,
  name: id,
  nodes: [
    { id: 'start', kind: 'start', config: {} },
    { id: 'reply', kind: 'reply', config: { message: 'You said {{question}}' } },
  ],
  edges: [{ from: 'start', to: 'reply' }],
  ...extra,
});

/** Replies, except if the question is `fail`: then its http node cannot reach anything and the run fails. */
export const sometimesFailingFlow = (id, extra = {}) => ({
  id,
  name: id,
  nodes: [
    { id: 'start', kind: 'start', config: {} },
    {
      id: 'check',
      kind: 'condition',
      config: {
        conditions: [{ type: 'string', value1: '{{question}}', operation: 'equal', value2: 'fail' }],
      },
    },
    { id: 'broken', kind: 'http', config: { method: 'GET', url: 'http://127.0.0.1:9/' } },
    { id: 'reply', kind: 'reply', config: { message: 'You said {{question}}' } },
  ],
  edges: [
    { from: 'start', to: 'check' },
    { from: 'check', to: 'broken', on: '0' },
    { from: 'check', to: 'reply', on: 'else' },
  ],
  ...extra,
});
