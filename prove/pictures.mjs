/**
 * Pictures that are small as files and huge once decoded. Memory: 8 callers with 4 of them each at once, of every
 * format, make the service and its workers grow by at most 600 MB, and each picture is drawn or, if it is too large,
 * recorded. Fairness: while one caller sends a hundred, another's one photograph waits at most a second longer than
 * alone.
 */
import './support/short-sizes.mjs';
import { readdirSync, readFileSync } from 'node:fs';
import { heavyPictures, smallJpeg, telephoneHeic } from './support/heavy-pictures.mjs';
import { makePlace } from './support/place.mjs';
import { atMost, countBy, Proof } from './support/report.mjs';
import { startService } from './support/service.mjs';

const CALLERS = Number(process.env.PROVE_CALLERS ?? 8);
const EACH = Number(process.env.PROVE_EACH ?? 4);
const BOMBS = Number(process.env.PROVE_BOMBS ?? 100);
const LOOKS = Number(process.env.PROVE_LOOKS ?? 6);
const MOST_GROWN_MB = 600;
const MOST_WAIT_MS = 1_000;
const SEND_TOGETHER = 50;

const proof = new Proof('prove:pictures');
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const flow = {
  id: 'inspect',
  name: 'inspect',
  nodes: [{ id: 'start', kind: 'start', config: {} }],
  edges: [],
};

/** Returns the resident memory of a process and its descendants, in MB. */
function treeMb(pid) {
  try {
    const resident =
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
    );
    return children.reduce((sum, child) => sum + treeMb(child), resident);
  } catch {
    return 0;
  }
}

/** Watches the peak growth until it is stopped. */
function watchMemory(pid) {
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, treeMb(pid))), 20);
  return () => {
    clearInterval(timer);
    return most;
  };
}

async function capture(service, sessionId, pictures, localAddress) {
  const photographs = pictures.map((bytes) => ({ data: bytes.toString('base64') }));
  const body = { flowId: flow.id, sessionId, area: 'Hall', photographs };
  const startedAt = performance.now();
  const { status, json } = await service.request('POST', '/api/v1/inspection/capture', {
    body,
    localAddress,
  });
  return { status, json, ms: performance.now() - startedAt };
}

async function memory(service, pictures) {
  const idle = treeMb(service.child.pid);
  const stop = watchMemory(service.child.pid);
  const names = [...pictures.keys()];
  const startedAt = performance.now();
  const answers = await Promise.all(
    Array.from({ length: CALLERS }, (_, caller) => {
      const own = Array.from({ length: EACH }, (__, index) => names[(caller * EACH + index) % names.length]);
      return capture(
        service,
        `memory-${caller}`,
        own.map((name) => pictures.get(name)),
        `127.0.0.${caller + 2}`,
      );
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  const grown = stop() - idle;
  proof.note(`${CALLERS * EACH} pictures in ${seconds.toFixed(0)} s; idle ${idle.toFixed(0)} MB`);
  proof.expect('grown by, MB, at most', Math.round(grown), atMost(MOST_GROWN_MB));
  const recorded = answers.reduce((sum, { json }) => sum + (json.recorded?.length ?? 0), 0);
  proof.expect('pictures recorded', recorded, CALLERS * EACH);
  const rejected = answers.flatMap(({ json }) => json.rejected ?? []);
  proof.expect('pictures rejected', JSON.stringify(countBy(rejected, ({ code }) => code)), '{}');
  const warned = answers
    .flatMap(({ json }) => json.warnings ?? [])
    .filter(({ code }) => code === 'too_large_to_draw');
  proof.note(`kept without being drawn: ${warned.reduce((sum, { count = 1 }) => sum + count, 0)}`);
}

async function waitOf(service, picture, name) {
  const { status, json, ms } = await capture(service, `alone-${name}`, [picture], '127.0.1.1');
  if (status !== 200 || json.recorded.length !== 1) throw new Error(`not recorded: ${JSON.stringify(json)}`);
  return ms;
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** One caller's hundred, sent over many sessions of one address, and another's single photographs meanwhile. */
async function turns(service, what, bomb, single) {
  const alone = [];
  for (let look = 0; look < 3; look++)
    alone.push(await waitOf(service, await single(look), `${what}-alone-${look}`));
  let open = BOMBS;
  const batches = Array.from({ length: Math.ceil(BOMBS / SEND_TOGETHER) }, async (_, batch) => {
    const size = Math.min(SEND_TOGETHER, BOMBS - batch * SEND_TOGETHER);
    // The service ends before all of them are done.
    await capture(service, `bombs-${what}-${batch}`, Array(size).fill(bomb), '127.0.2.1').catch(
      () => undefined,
    );
    open -= size;
  });
  await pause(1_500);
  const waits = [];
  for (let look = 0; look < LOOKS && open > 0; look++) {
    waits.push(await waitOf(service, await single(look + 3), `${what}-${look}`));
    await pause(400);
  }
  proof.note(
    `${what}: alone ${median(alone).toFixed(0)} ms, beside them ${waits.map((ms) => ms.toFixed(0)).join(', ')} ms`,
  );
  proof.expect(`${what}: looked while they were decoded`, waits.length, LOOKS);
  proof.measure(
    `${what}: waited longer than alone, ms, at most`,
    Math.round(Math.max(...waits) - median(alone)),
    atMost(MOST_WAIT_MS),
  );
  void Promise.all(batches);
}

/** Starts a service of its own for each part. */
async function withService(part) {
  const place = await makePlace('sqlite');
  try {
    const service = await startService(place);
    await service.createFlow(flow);
    await part(service);
    await service.kill();
  } finally {
    await place.remove();
  }
}

const only = process.env.PROVE_ONLY;
if (only !== 'turns') {
  const names = ['avif', 'heic', 'webp', 'png', 'tiff', 'jpeg', 'gif', 'interlaced', 'moving'];
  const pictures = await heavyPictures(names);
  await withService((service) => memory(service, pictures));
}
if (only !== 'memory') {
  const bombs = await heavyPictures(['palette', 'interlaced']);
  const looks = [
    ['a photograph among PNGs', 'palette', smallJpeg],
    ['a photograph among interlaced PNGs', 'interlaced', smallJpeg],
    ['a HEIC among interlaced PNGs', 'interlaced', telephoneHeic],
  ];
  for (const [what, bomb, single] of looks)
    await withService((service) => turns(service, what, bombs.get(bomb), single));
}
proof.end();
