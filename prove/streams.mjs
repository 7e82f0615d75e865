/**
 * Streams over three processes on one PostgreSQL behind a plain round-robin proxy. 1,000 streams whose clients lose
 * their connection five times each and come back through the proxy: no token is lost or repeated while the process of
 * the call lives. Processes are killed under streams, 50 times: a client that comes back gets, in order and once, a
 * part of the model's output and then one end; with Redis that part contains everything sent a second before the kill,
 * even if the client had not seen it. `PROVE_STREAMS` and `PROVE_KILLS` are the size.
 */
import './support/short-sizes.mjs';
import { askingFlow } from './support/asking-flow.mjs';
import { databaseKinds, makePlace, query, redisIsThere, redisUrl } from './support/place.mjs';
import { atLeast, countBy, inParallel, Proof, skip } from './support/report.mjs';
import { startRoundRobin } from './support/round-robin.mjs';
import { startService } from './support/service.mjs';
import { faultOf, StreamClient } from './support/stream-client.mjs';
import { startTalkingModel } from './support/talking-model.mjs';

const STREAMS = Number(process.env.PROVE_STREAMS ?? 1_000);
const KILLS = Number(process.env.PROVE_KILLS ?? 50);
const REPLICAS = 3;
const COMINGS = 5;
/** Concurrent streams. */
const WIDTH = 150;
const DOOMED = 18;
/** Groups are written within this, also on a busy machine. */
const WRITTEN_MS = 1_000;
const proof = new Proof('prove:streams');
const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function expectFaultless(what, clients, model) {
  const faults = clients.map((client) => faultOf(client, model.answerTo(client.question)));
  for (const [fault, count] of Object.entries(countBy(faults.filter(Boolean), String)))
    proof.note(`${what}: ${fault}: ${count}`);
  proof.expect(
    `${what}: streams with a token lost, told twice or out of order, or with another number of ends`,
    faults.filter(Boolean).length,
    0,
  );
}

/** Resolves when the model has sent its answer, and the run has had time to end. */
async function allSent(model, question) {
  while (model.saidBy(question, performance.now()) < model.pieces) await later(50);
  await later(500);
}

/** Every client loses its connection at random events, and comes back to the next process; some after the end. */
async function living(what, { proxy, model, mode }) {
  Object.assign(model, { pieces: 60, everyMs: 25 });
  const total = Math.ceil(STREAMS / 2);
  const clients = await inParallel(total, WIDTH, async (index) => {
    const client = new StreamClient(proxy.url, `${mode}-living-${index}`);
    let cuts = 0;
    const cutAfter = () => (cuts++ < COMINGS ? 1 + Math.floor(Math.random() * 11) : Infinity);
    const isLate = () => cuts === COMINGS && index % 4 === 0;
    const away = () => (isLate() ? allSent(model, client.question) : later(Math.random() * 100));
    await client.follow({ cutAfter, away });
    return client;
  });
  expectFaultless(what, clients, model);
  const whole = clients.filter(({ tokens, question }) => tokens.length === model.answerTo(question).length);
  proof.expect(`${what}: streams told whole, token by token`, whole.length, total);
  const comings = clients.reduce((sum, client) => sum + client.comings, 0);
  proof.expect(`${what}: comings back`, comings, atLeast(total * COMINGS));
}

/** Half of the clients are disconnected when a process is killed; the others lose their connections by that. */
async function dying(what, count, { proxy, model, mode, place, services, start }) {
  Object.assign(model, { pieces: 600, everyMs: 8 });
  const all = { clients: [], dead: [], untold: 0, unseen: 0 };
  for (let kill = 0; kill < count; kill++) {
    let killed;
    const death = new Promise((resolve) => (killed = resolve));
    const clients = Array.from(
      { length: DOOMED },
      (_, index) => new StreamClient(proxy.url, `${mode}-dying-${kill}-${index}`),
    );
    const ended = clients.map((client, index) => {
      let cuts = 0;
      const leaving = 8 + Math.floor(Math.random() * 40);
      const cutAfter = () => (index % 2 === 0 && cuts++ === 0 ? leaving : Infinity);
      const away = () => (index % 2 === 0 ? death : later(Math.random() * 100));
      return client.follow({ cutAfter, away });
    });
    while (clients.some(({ events }) => events.length < 8)) await later(10);
    await later(WRITTEN_MS + 300 + Math.random() * 500);
    const dead = kill % REPLICAS;
    const seen = clients.map(({ tokens }) => tokens.length);
    const killedAt = performance.now();
    await services[dead].kill();
    killed();
    const again = start();
    await Promise.all(ended);
    services[dead] = await again;
    const rows = await query(
      place,
      `SELECT id FROM executions WHERE status = 'failed' AND code = 'interrupted'`,
    );
    const interrupted = new Set(rows.map(({ id }) => id));
    clients.forEach((client, index) => {
      if (!interrupted.has(client.executionId)) return;
      all.dead.push(client);
      const due = model.saidBy(client.question, killedAt - WRITTEN_MS);
      all.untold += Math.max(0, due - client.tokens.length);
      all.unseen += Math.max(0, client.tokens.length - seen[index]);
    });
    all.clients.push(...clients);
  }
  expectFaultless(what, all.clients, model);
  const others = all.clients.filter((client) => !all.dead.includes(client));
  const parts = others.filter(({ tokens, question }) => tokens.length < model.answerTo(question).length);
  proof.expect(`${what}: streams of processes that lived, not told whole`, parts.length, 0);
  proof.expect(`${what}: streams whose process was killed`, all.dead.length, atLeast(count));
  if (mode === 'redis') {
    proof.expect(`${what}: tokens said ${WRITTEN_MS} ms before the kill and never told`, all.untold, 0);
    proof.expect(`${what}: tokens that a client first saw after it`, all.unseen, atLeast(count));
  } else proof.note(`${what}: ${all.untold} tokens of ${all.dead.length} streams died with their process`);
}

async function prove(mode, kills) {
  const place = await makePlace('postgres');
  const model = await startTalkingModel(60, 25);
  const env = {
    INITIAL_CREDIT: '1000000',
    LOG_LEVEL: 'error',
    ...(mode === 'redis' ? { REDIS_URL: redisUrl } : {}),
  };
  const start = () => startService(place, env);
  const services = [await start(), ...(await Promise.all([start(), start()]))];
  await services[0].createFlow(askingFlow('told', model, { memory: { kind: 'none' } }));
  const proxy = await startRoundRobin(() => services.map(({ url }) => url));
  const parts = { proxy, model, mode, place, services, start };
  const called = mode === 'redis' ? 'with Redis' : 'without Redis';
  await living(`${called}, nobody dies`, parts);
  await dying(`${called}, ${kills} kills`, kills, parts);
  proxy.close();
  for (const service of services) await service.stop();
  model.close();
  await place.remove();
}

if (!(await databaseKinds()).includes('postgres')) skip('there is no PostgreSQL');
if (!(await redisIsThere())) skip('there is no Redis');
const without = Math.ceil(KILLS / 3);
await prove('none', without);
await prove('redis', KILLS - without);
proof.end();
