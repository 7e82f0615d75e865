/**
 * A process that is suspended (SIGSTOP) in the middle of a call and wakes up (SIGCONT) after another has done its work.
 * PostgreSQL: it is suspended at each message that a call sends to the database, before the server receives it and
 * after; its connections are cut, the call is retried under the same `Idempotency-Key` at two others behind a proxy,
 * and then it wakes up: it must add no row of a capture, a render or a run with a capture node. SQLite: a suspended
 * process holds its lock, counts as alive, and retains its call.
 */
import './support/short-sizes.mjs';
import { once } from 'node:events';
import http from 'node:http';
import pg from 'pg';
import sharp from 'sharp';
import { startCountingProxy } from './support/counting-proxy.mjs';
import { startDeployment } from './support/deployment.mjs';
import { databaseKinds, makePlace } from './support/place.mjs';
import { Proof } from './support/report.mjs';
import { replyFlow, startService } from './support/service.mjs';

/** Messages between two suspensions; 1 takes each of them, both ways. */
const STEP = Number(process.env.PROVE_STEP ?? 1);
/** Limits the messages of a call that are tried. */
const MESSAGES = Number(process.env.PROVE_MESSAGES ?? 200);
/** Counts only messages with this text. */
const COUNTED = process.env.PROVE_COUNTED ?? '';
const routes = (process.env.PROVE_ROUTES ?? 'capture,render,prediction').split(',');
const proof = new Proof('prove:paused');
const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const picture = (
  await sharp({ create: { width: 640, height: 480, channels: 3, background: '#557799' } })
    .jpeg()
    .toBuffer()
).toString('base64');

const captured = (service, session, headers) =>
  service.request('POST', '/api/v1/inspection/capture', {
    body: {
      flowId: 'inspected',
      sessionId: session,
      area: 'Kitchen',
      photographs: [{ data: picture }],
      remark: 'A remark',
    },
    headers,
  });
const rendered = (service, session, headers) =>
  service.request('POST', '/api/v1/pdf/render', {
    body: {
      templateId: 'inspection',
      source: { type: 'inspection', flowId: 'inspected', sessionId: session, meta: {} },
    },
    headers,
  });
const predicted = (service, session, headers) =>
  service.predict('captures', { question: 'A remark', chatId: session }, headers);

/** The calls: how each is sent, the call that must precede it, and the rows that one leaves in its session. */
const calls = {
  capture: { send: captured, leaves: { photographs: 1, remarks: 1, reports: 0 } },
  render: { send: rendered, before: captured, leaves: { photographs: 1, remarks: 1, reports: 1 } },
  prediction: { send: predicted, leaves: { photographs: 0, remarks: 1, reports: 0 } },
};

/** A run with an effect: a node records its remark. */
const capturingFlow = {
  ...replyFlow('captures', { price: 1 }),
  nodes: [
    { id: 'start', kind: 'start', config: {} },
    { id: 'capture', kind: 'capture', config: { remark: '{{question}}', area: 'Hall' } },
    { id: 'reply', kind: 'reply', config: { message: 'Thank you' } },
  ],
  edges: [
    { from: 'start', to: 'capture' },
    { from: 'capture', to: 'reply' },
  ],
};

/** Reads every row of every table. */
async function rowsOf(database) {
  const { rows: tables } = await database.query(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  const all = new Set();
  for (const { name } of tables) {
    const { rows } = await database.query(`SELECT row_to_json(t)::text AS row FROM "${name}" t`);
    for (const { row } of rows) all.add(`${name} ${row}`);
  }
  return all;
}

/**
 * Returns true for the record of a refused or replayed call, the count of a call for its rate limit, and the
 * announcement of a process under its new name.
 */
function isHarmless(row) {
  if (/^(rate_limit_hits|processes|process_addresses) /.test(row)) return true;
  if (!row.startsWith('executions ')) return false;
  const { status, replay_of: replayOf } = JSON.parse(row.slice('executions '.length));
  return status === 'rejected' || replayOf !== null;
}

/** Returns the added and removed rows, without the harmless ones. */
function differences(before, after) {
  const came = [...after].filter((row) => !before.has(row) && !isHarmless(row)).map((row) => `+ ${row}`);
  const went = [...before].filter((row) => !after.has(row) && !isHarmless(row)).map((row) => `- ${row}`);
  return [...came, ...went];
}

/** Returns the answer of the others to the same call, as soon as the first one is interrupted. */
async function sendElsewhere(call, peers, session, headers) {
  for (let tries = 0; tries < 60; tries++) {
    const answer = await call.send(peers, session, headers).catch(() => undefined);
    if (answer && answer.status !== 409 && answer.status !== 503) return answer.status;
    await later(250);
  }
  return 'never';
}

async function leftOf(database, session) {
  const count = async (sql) => Number((await database.query(sql, [session])).rows[0].n);
  return {
    photographs: await count('SELECT count(*) AS n FROM photographs WHERE session_id = $1'),
    remarks: await count('SELECT count(*) AS n FROM remarks WHERE session_id = $1'),
    reports: await count('SELECT count(*) AS n FROM reports WHERE session_id = $1'),
  };
}

/** Suspends one call at one message. Undefined if it needed fewer messages. */
async function pausedAt(stage, route, passing, forward) {
  const { paused, peers, proxy, database } = stage;
  const call = calls[route];
  const session = `${route}-${passing}-${forward}`;
  const headers = { 'Idempotency-Key': session };
  if (call.before) await call.before(peers, session);
  await later(150);
  const stopped = new Promise((resolve) =>
    proxy.arm(passing, forward, () => resolve(paused.child.kill('SIGSTOP'))),
  );
  const answered = call.send(paused, session, headers).catch((error) => ({ status: error.code }));
  const first = await Promise.race([stopped.then(() => 'stopped'), answered.then(() => 'answered')]);
  if (first === 'answered' && proxy.callOff()) return undefined;
  if (forward) await later(100);
  await proxy.cut();
  const elsewhere = await sendElsewhere(call, peers, session, headers);
  await later(300);
  const before = await rowsOf(database);
  paused.child.kill('SIGCONT');
  const { status } = await answered;
  await paused.waitUntilReady();
  await later(1_500);
  const after = await rowsOf(database);
  return {
    elsewhere,
    status,
    session,
    changes: differences(before, after),
    left: await leftOf(database, session),
  };
}

async function onPostgres() {
  const place = await makePlace('postgres');
  const proxy = await startCountingProxy(place.databaseUrl, COUNTED);
  const env = { INITIAL_CREDIT: '100000', RENDERS_PER_MINUTE: '1000000', LOG_LEVEL: 'fatal' };
  const peers = await startDeployment(place, env, { count: 2 });
  const paused = await startService({ ...place, databaseUrl: proxy.url }, env);
  await peers.createFlow(replyFlow('inspected'));
  await peers.createFlow(capturingFlow);
  const database = new pg.Client({ connectionString: place.databaseUrl });
  await database.connect();
  for (const route of routes) await proveRoute({ paused, peers, proxy, database }, route);
  await database.end();
  for (const service of [paused, peers]) await service.stop();
  proxy.close();
  await place.remove();
}

async function proveRoute(stage, route) {
  // Sends a first call of each kind, which loads workers and statements.
  await calls.capture.send(stage.paused, `warm-${route}`);
  if (route !== 'capture') await calls[route].send(stage.paused, `warm-${route}`);
  const outcomes = [];
  for (let passing = 0; passing < MESSAGES; passing += STEP) {
    const ways = STEP === 1 ? [false, true] : [(passing / STEP) % 2 === 1];
    const made = [];
    for (const forward of ways) made.push(await pausedAt(stage, route, passing, forward));
    if (made.includes(undefined)) break;
    outcomes.push(...made);
  }
  const { leaves } = calls[route];
  const wrong = outcomes.filter(({ left }) =>
    Object.keys(leaves).some((name) => left[name] !== leaves[name]),
  );
  const late = outcomes.filter(({ changes }) => changes.length > 0);
  const figure = (what, count, wanted) => proof.expect(`postgres, ${route}: ${what}`, count, wanted);
  proof.expect(`postgres, ${route}: stopped at a message`, outcomes.length, (count) => count >= 3);
  figure('not answered 200 elsewhere', outcomes.filter(({ elsewhere }) => elsewhere !== 200).length, 0);
  figure('with rows that came or went after the wake-up', late.length, 0);
  figure('that left another number of photographs, remarks or reports', wrong.length, 0);
  for (const { session, changes, left } of [...late, ...wrong].slice(0, 5))
    proof.note(`${session}: ${JSON.stringify(left)} ${changes.slice(0, 4).join(' | ').slice(0, 600)}`);
  const statuses = outcomes.map(({ status }) => status);
  figure('whose first caller was told 500', statuses.filter((status) => status === 500).length, 0);
}

/** Holds each request until it is released; answers with a picture. */
async function startHolder(bytes) {
  const waiting = [];
  const server = http.createServer((request, response) => {
    waiting.push(() => response.writeHead(200, { 'Content-Type': 'image/jpeg' }).end(bytes));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = server.address().port;
  const requested = async () => {
    for (let tries = 0; tries < 400 && waiting.length === 0; tries++) await later(25);
    return waiting.shift();
  };
  return { port, requested, close: () => server.close() };
}

async function onSqlite() {
  const place = await makePlace('sqlite');
  const holder = await startHolder(Buffer.from(picture, 'base64'));
  const env = { LOG_LEVEL: 'fatal', FETCH_ALLOW_HTTP: 'true', OUTBOUND_ALLOW: `127.0.0.1:${holder.port}` };
  const [paused, peer] = [await startService(place, env), await startService(place, env)];
  const url = `http://127.0.0.1:${holder.port}/picture.jpg`;
  await peer.createFlow(replyFlow('inspected'));
  await peer.createFlow({
    ...replyFlow('fetches'),
    nodes: [
      { id: 'start', kind: 'start', config: {} },
      { id: 'fetch', kind: 'http', config: { method: 'GET', url } },
      { id: 'reply', kind: 'reply', config: { message: 'Thank you' } },
    ],
    edges: [
      { from: 'start', to: 'fetch' },
      { from: 'fetch', to: 'reply' },
    ],
  });
  const headers = { 'Idempotency-Key': 'paused' };
  const capture = (service) =>
    service.request('POST', '/api/v1/inspection/capture', {
      body: { flowId: 'inspected', sessionId: 's', area: 'Kitchen', photographs: [{ url }] },
      headers,
    });
  const predict = (service) => service.predict('fetches', { question: 'Hi', chatId: 'c' }, headers);
  for (const [route, send] of Object.entries({ capture, prediction: predict })) {
    const answered = send(paused);
    const letGo = await holder.requested();
    proof.expect(`sqlite, ${route}: held in the middle of the call`, letGo !== undefined, true);
    paused.child.kill('SIGSTOP');
    await later(6_000);
    proof.expect(
      `sqlite, ${route}: status of the same call elsewhere meanwhile`,
      (await send(peer)).status,
      409,
    );
    const { json } = await peer.admin('GET', '/api/v1/executions?status=running');
    proof.expect(`sqlite, ${route}: records that still run`, json.data.length, 1);
    paused.child.kill('SIGCONT');
    letGo?.();
    proof.expect(`sqlite, ${route}: status of the call after the wake-up`, (await answered).status, 200);
    const again = await send(peer);
    proof.expect(`sqlite, ${route}: its answer is given again`, again.headers['idempotent-replay'], 'true');
  }
  for (const service of [paused, peer]) await service.stop();
  holder.close();
  await place.remove();
}

const kinds = await databaseKinds();
if (kinds.includes('postgres')) await onPostgres();
if (kinds.includes('sqlite')) await onSqlite();
proof.end();
