/**
 * More calls than `MAX_IN_FLIGHT` (lowered to 50): the excess is 503 `overloaded` with `Retry-After` at once, instead
 * of all becoming slow; no more than 50 run at any moment; each call has one record, only those that ran are charged,
 * and health answers throughout. Connections that break under many calls release all their slots. Heavy bodies, five at
 * once on each route, are refused without delaying other calls; silent connections are closed.
 */
import './support/short-sizes.mjs';
import http from 'node:http';
import { connect } from 'node:net';
import { heavyBodies, silentConnections } from './support/heavy-bodies.mjs';
import { databaseKinds, makePlace } from './support/place.mjs';
import { atLeast, atMost, countBy, inParallel, Proof } from './support/report.mjs';
import { startService } from './support/service.mjs';

const LIMIT = 50;
const CALLS = Number(process.env.PROVE_CALLS ?? 2_000);
const AT_ONCE = 600;
const UPSTREAM_MS = 200;
const CREDIT = 100_000;
const proof = new Proof('prove:overload');

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const p95 = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.95)];

/** The service that the flow calls: it answers late, and counts the waiting requests. */
async function startUpstream() {
  const upstream = { open: 0, most: 0 };
  const server = http.createServer((request, response) => {
    request.resume();
    upstream.most = Math.max(upstream.most, ++upstream.open);
    setTimeout(() => {
      upstream.open--;
      response.end('done');
    }, UPSTREAM_MS);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  return Object.assign(upstream, { port, close: () => (server.closeAllConnections(), server.close()) });
}

const slowFlow = (port) => ({
  id: 'slow',
  name: 'slow',
  nodes: [
    { id: 'start', kind: 'start', config: {} },
    { id: 'ask', kind: 'http', config: { method: 'GET', url: `http://127.0.0.1:${port}/` } },
  ],
  edges: [{ from: 'start', to: 'ask' }],
});

/** Enough that none uses up its share of concurrent calls. */
const ADDRESSES = 250;
let calls = 0;

async function call(service) {
  const startedAt = performance.now();
  const address = `10.0.0.${++calls % ADDRESSES}`;
  const answer = await service.predict('slow', { question: 'now' }, { 'X-Forwarded-For': address });
  const { status, headers } = answer;
  return {
    status,
    retryAfter: headers['retry-after'],
    code: answer.json.code,
    ms: performance.now() - startedAt,
  };
}

/** Pipelines calls behind one of the slow flow, and breaks the connection under all of them. */
async function breakOff(service) {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const head = `HTTP/1.1\r\nHost: ${hostname}\r\n`;
  socket.write(
    `POST /api/v1/prediction/slow ${head}Content-Type: application/json\r\nContent-Length: 16\r\n\r\n{"question":"q"}` +
      `GET /api/v1/chatflows-streaming/slow ${head}\r\n`.repeat(LIMIT / 2 - 5),
  );
  await pause(UPSTREAM_MS / 4);
  socket.resetAndDestroy();
}

/** Returns the fewest concurrent calls seen within five seconds, this one included. */
async function underWay(service) {
  let fewest = Infinity;
  for (let look = 0; look < 50 && fewest > 1; look++, await pause(100)) {
    const { text } = await service.request('GET', '/metrics');
    fewest = Math.min(fewest, Number(/^http_requests_in_flight (\d+)/m.exec(text)?.[1] ?? Infinity));
  }
  return fewest;
}

async function recordsOf(service) {
  const { text } = await service.admin('GET', '/api/v1/executions/export');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

async function run(kind) {
  const [place, upstream] = [await makePlace(kind), await startUpstream()];
  const service = await startService(place, {
    MAX_IN_FLIGHT: String(LIMIT),
    TRUST_PROXY: '1',
    OUTBOUND_ALLOW: `127.0.0.1:${upstream.port}`,
    INITIAL_CREDIT: String(CREDIT),
  });
  const silent = silentConnections(service.url);
  await service.createFlow(slowFlow(upstream.port));
  // Warms up, and measures a call while nobody is refused.
  await inParallel(LIMIT * 2, LIMIT / 2, () => call(service));
  const calm = await inParallel(LIMIT * 4, LIMIT - 5, () => call(service));

  const health = [];
  const watch = setInterval(
    () => void service.request('GET', '/health/ready').then(({ status }) => health.push(status)),
    20,
  );
  const answers = await inParallel(CALLS, AT_ONCE, async () => {
    const answer = await call(service);
    // Waits for Retry-After, with jitter.
    if (answer.status === 503) await pause(500 + Math.random() * 1_000);
    return answer;
  });
  clearInterval(watch);

  const ran = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status !== 200);
  proof.note(`${kind}: ${JSON.stringify(countBy(answers, ({ status }) => status))}`);
  proof.expect(
    `${kind}: refusals that are 503 overloaded with Retry-After`,
    refused.filter(
      ({ status, code, retryAfter }) => status === 503 && code === 'overloaded' && Number(retryAfter) >= 1,
    ).length,
    refused.length,
  );
  proof.expect(`${kind}: refused`, refused.length, atLeast(AT_ONCE - LIMIT));
  proof.expect(`${kind}: most that ran at once`, upstream.most, atMost(LIMIT));
  proof.expect(
    `${kind}: answers of health while overloaded that were not 200`,
    health.filter((status) => status !== 200).length,
    0,
  );
  const [before, during] = [p95(calm.map(({ ms }) => ms)), p95(ran.map(({ ms }) => ms))];
  proof.note(
    `${kind}: 95 % of the calls that ran took at most ${before.toFixed(0)} ms before, ${during.toFixed(0)} ms during`,
  );
  proof.measure(
    `${kind}: of accepted calls, during ÷ before`,
    Number((during / before).toFixed(2)),
    atMost(3),
  );
  proof.measure(
    `${kind}: slowest refusal, ms`,
    Math.round(Math.max(...refused.map(({ ms }) => ms))),
    atMost(2_000),
  );
  proof.expect(`${kind}: a call afterwards`, (await call(service)).status, 200);

  const records = await recordsOf(service);
  const made = LIMIT * 6 + CALLS + 1;
  proof.expect(`${kind}: records of ${made} calls`, records.length, made);
  const succeeded = records.filter(({ status }) => status === 'succeeded').length;
  const { balance } = (await service.admin('GET', '/api/v1/credit/default')).json;
  proof.expect(`${kind}: credit of ${succeeded} runs`, CREDIT - balance, succeeded);

  for (let round = 0; round < 5; round++) await breakOff(service);
  proof.expect(
    `${kind}: under way when connections full of calls have broken off`,
    await underWay(service),
    1,
  );
  proof.expect(`${kind}: a call after that`, (await call(service)).status, 200);
  await heavyBodies(proof, kind, service, 'slow');
  proof.expect(`${kind}: a call after those`, (await call(service)).status, 200);
  proof.expect(`${kind}: connections that said nothing, after 33 s`, await silent.left(), 0);
  await service.stop();
  upstream.close();
  await place.remove();
}

for (const kind of await databaseKinds()) await run(kind);
proof.end();
