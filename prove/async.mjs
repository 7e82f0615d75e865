/**
 * Async runs do not depend on their process: many are begun, each with a photograph, a repeatable request and a
 * callback; their process is killed in the middle, twice. On SQLite the next start takes them over; on PostgreSQL, with
 * three processes behind a proxy of which one is killed, another process does. All succeed, none has an effect twice,
 * each is charged once.
 */
import './support/short-sizes.mjs';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import sharp from 'sharp';
import { startDeployment } from './support/deployment.mjs';
import { databaseKinds, makePlace, query } from './support/place.mjs';
import { atMost, countBy, inParallel, Proof } from './support/report.mjs';

const RUNS = Number(process.env.PROVE_RUNS ?? 200);
const KILLS = Number(process.env.PROVE_KILLS ?? 3);
const proof = new Proof('prove:async');
const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const picture = (
  await sharp({ create: { width: 320, height: 240, channels: 3, background: '#557755' } })
    .jpeg()
    .toBuffer()
).toString('base64');

/** Starts a target that takes requests slowly, so that runs can be interrupted, and callbacks at once. */
async function startTarget() {
  const requests = [];
  const server = http.createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://target');
    const key = request.headers['idempotency-key'] ?? request.headers['webhook-id'];
    requests.push({ kind: pathname.slice(1), run: searchParams.get('r'), key });
    request.resume();
    const answer = () => response.setHeader('content-type', 'application/json').end('{}');
    if (pathname === '/note') setTimeout(answer, 300);
    else answer();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { asked: requests, port: server.address().port, close: () => server.close().closeAllConnections() };
}

const flow = (port, webhookCredentialId) => ({
  id: 'later',
  name: 'later',
  price: 1,
  webhookCredentialId,
  callbackHosts: ['127.0.0.1'],
  nodes: [
    { id: 'start', kind: 'start', config: {} },
    { id: 'capture', kind: 'capture', config: { area: 'Hall' } },
    {
      id: 'note',
      kind: 'http',
      config: { method: 'PUT', url: `http://127.0.0.1:${port}/note?r={{$flow.chatId}}` },
    },
    { id: 'reply', kind: 'reply', config: { message: 'done' } },
  ],
  edges: [
    { from: 'start', to: 'capture' },
    { from: 'capture', to: 'note' },
    { from: 'note', to: 'reply' },
  ],
});

/** Finds the process id in the database: on PostgreSQL by its address, on SQLite it is the only one. */
async function processOf(place, { url }) {
  const known =
    place.kind === 'postgres'
      ? `SELECT process_id FROM process_addresses WHERE url = '${url}'`
      : `SELECT DISTINCT process_id FROM executions WHERE status = 'running'`;
  const processId = (await query(place, known))[0]?.process_id;
  // On SQLite no process may be running then, so there is none to wait for.
  if (!processId && place.kind === 'postgres') throw new Error(`no process has announced ${url}`);
  return processId;
}

const runningOf = async (place, processId) =>
  (await query(place, `SELECT id FROM executions WHERE status = 'running' AND process_id = '${processId}'`))
    .length;

async function prove(kind) {
  const place = await makePlace(kind);
  const target = await startTarget();
  const env = {
    INITIAL_CREDIT: '100000',
    LOG_LEVEL: 'fatal',
    MAX_ASYNC_RUNS: '10000',
    OUTBOUND_ALLOW: `127.0.0.1:${target.port}`,
  };
  const service = await startDeployment(place, env);
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const credential = await service.admin('POST', '/api/v1/credentials', {
    name: 'callbacks',
    kind: 'webhook',
    data: { secret },
  });
  await service.createFlow(flow(target.port, credential.json.id));

  const send = async (index) => {
    const run = `${kind}-${index}`;
    const uploads = [
      { type: 'file', name: 'a.jpg', mime: 'image/jpeg', data: `data:image/jpeg;base64,${picture}` },
    ];
    const callbackUrl = `http://127.0.0.1:${target.port}/called?r=${run}`;
    const body = { question: 'Later', chatId: run, uploads, callbackUrl };
    const headers = { Prefer: 'respond-async', 'Idempotency-Key': run };
    for (let tries = 0; tries < 200; tries++) {
      const answer = await service.predict('later', body, headers).catch(() => undefined);
      if (answer?.status === 202) return answer.headers.location;
      await later(100);
    }
    throw new Error(`run ${run} was never accepted`);
  };

  let locations = [];
  let slowest = 0;
  const part = Math.ceil(RUNS / KILLS);
  for (let round = 0; round < KILLS; round++) {
    locations = [...locations, ...(await inParallel(part, 16, (index) => send(round * part + index)))];
    await later(150);
    const dying = service.memberAt(Math.random());
    const dead = await processOf(place, dying);
    const killedAt = performance.now();
    await dying.kill();
    if (kind === 'sqlite') await service.replace(dying);
    while ((await runningOf(place, dead)) > 0) await later(50);
    slowest = Math.max(slowest, performance.now() - killedAt);
    if (kind === 'postgres') await service.replace(dying);
  }
  const statusOf = async (location) => (await service.request('GET', location)).json;
  for (const location of locations)
    for (let tries = 0; tries < 400 && (await statusOf(location)).status === 'running'; tries++)
      await later(100);
  const ends = await inParallel(locations.length, 8, (index) => statusOf(locations[index]));
  const called = () => target.asked.filter((each) => each.kind === 'called');
  for (let tries = 0; tries < 100 && new Set(called().map(({ run }) => run)).size < locations.length; tries++)
    await later(200);

  proof.expect(`${kind}: accepted runs`, locations.length, part * KILLS);
  proof.expect(
    `${kind}: that did not end well`,
    ends.filter(({ status, answer }) => status !== 'succeeded' || answer?.text !== 'done').length,
    0,
  );
  const times = (rows) => Object.values(countBy(rows, ({ run }) => run));
  const photographs = await query(place, 'SELECT session_id AS run FROM photographs');
  proof.expect(`${kind}: runs with a photograph`, times(photographs).length, locations.length);
  proof.expect(`${kind}: photographs recorded twice`, times(photographs).filter((n) => n > 1).length, 0);
  const notes = target.asked.filter((each) => each.kind === 'note');
  const keys = new Set(notes.map(({ run, key }) => `${run} ${key}`));
  proof.note(
    `${kind}: requests sent twice, under the same key: ${times(notes).filter((n) => n === 2).length}`,
  );
  proof.expect(`${kind}: requests under another key`, keys.size - locations.length, 0);
  proof.expect(`${kind}: runs called back`, new Set(called().map(({ run }) => run)).size, locations.length);
  const ids = new Set(called().map(({ run, key }) => `${run} ${key}`));
  proof.expect(`${kind}: callbacks under another webhook-id`, ids.size - locations.length, 0);
  const { json: credit } = await service.admin('GET', '/api/v1/credit/default');
  proof.expect(`${kind}: credits charged`, 100_000 - credit.balance, locations.length);
  proof.measure(
    `${kind}: ms until a dead process's runs were taken over`,
    Math.round(slowest),
    atMost(5_000),
  );
  await service.stop();
  target.close();
  await place.remove();
}

for (const kind of await databaseKinds()) await prove(kind);
proof.end();
