/**
 * The cost of a flow's guards: the same call to a flow with key, allowed domains and rate limit and to an open one; the
 * same run with the admin key, which passes no guard of a flow; and the cost of a wrong key. Measured for the smallest
 * flow and for one that calls a model, which answers at once; as the response time on one connection, with interleaved
 * calls, and as CPU time of the service under 32 connections. `node bench/guards.mjs [interleaved calls] [calls per
 * round] [rounds]`
 */
import { askingFlow } from '../prove/support/asking-flow.mjs';
import { databaseKinds, makePlace } from '../prove/support/place.mjs';
import { ADMIN_KEY, replyFlow, startService } from '../prove/support/service.mjs';
import { figure, median } from './support/measure.mjs';
import { processorTimes } from './support/processor-time.mjs';
import { sideProcess } from './support/side-process.mjs';

const turns = Number(process.argv[2] ?? 2000);
const calls = Number(process.argv[3] ?? 1500);
const rounds = Number(process.argv[4] ?? 7);
const CONNECTIONS = 32;
const WARM = 300;
const ORIGIN = 'https://shop.example.com';

const rateLimit = { limit: 1_000_000, windowSeconds: 3600 };
const allowedDomains = ['example.org', '*.example.com'];

async function post(service, { path, headers, status = 200 }) {
  const answer = await service.request('POST', path, { body: { question: 'Hello' }, headers });
  if (answer.status !== status) throw new Error(`${path}: ${answer.status} ${answer.text}`);
}

/** Returns the response time of each way in milliseconds, by name: one call of each in rotation. */
async function answerTimes(service, ways) {
  const times = new Map(Object.keys(ways).map((name) => [name, []]));
  for (let turn = 0; turn < turns + WARM; turn++) {
    for (const [name, way] of Object.entries(ways)) {
      const startedAt = performance.now();
      await way();
      if (turn >= WARM) times.get(name).push(performance.now() - startedAt);
    }
  }
  return Object.fromEntries([...times].map(([name, taken]) => [name, median(taken)]));
}

/** Returns milliseconds of the service's CPU time per call of each way: the median of interleaved rounds. */
async function medianTimes(service, ways) {
  const taken = await processorTimes(service, Object.values(ways), {
    calls,
    rounds,
    connections: CONNECTIONS,
  });
  return Object.fromEntries(Object.keys(ways).map((name, index) => [name, median(taken[index])]));
}

function report(title, unit, times) {
  console.log(`        ${title}`);
  for (const [name, time] of Object.entries(times)) figure(name, time, unit);
  const { nothing, wrong } = times;
  const flows = {
    'the smallest flow': [times.open, times.guarded],
    'a flow that asks': [times.asks, times.asksGuarded],
  };
  for (const [flow, [open, guarded]] of Object.entries(flows)) {
    figure(`key, domain and rate limit add to ${flow}`, (guarded / open - 1) * 100, ' %', ['<=', 10]);
    figure(`a wrong key, of an accepted call of ${flow}`, (wrong / guarded) * 100, ' %', ['<=', 20]);
    const beyond = (wrong - nothing) / (guarded - nothing);
    figure('the same beyond an answer that does nothing', beyond * 100, ' %');
  }
}

for (const kind of await databaseKinds()) {
  const place = await makePlace(kind);
  const model = await sideProcess('fake-model.mjs');
  const service = await startService(place, { INITIAL_CREDIT: '1000000000' });
  try {
    const key = (await service.admin('POST', '/api/v1/api-keys', { name: 'bench' })).json;
    const access = { apiKeyId: key.id, allowedDomains, rateLimit };
    await service.createFlow(replyFlow('open'));
    await service.createFlow(replyFlow('guarded', { access }));
    await service.createFlow(askingFlow('asks', model));
    await service.createFlow(askingFlow('asks-guarded', model, { access }));
    const right = { Authorization: `Bearer ${key.key}`, Origin: ORIGIN };
    const wrong = { Authorization: `Bearer ${key.key.slice(0, -4)}abcd`, Origin: ORIGIN };
    const admin = { Authorization: `Bearer ${ADMIN_KEY}`, Origin: ORIGIN };
    const predict = (id) => `/api/v1/prediction/${id}`;
    const way = (call) => () => post(service, call);
    const ways = {
      nothing: () => service.request('GET', '/health/live'),
      admin: way({ path: '/api/v1/flows/open/run', headers: admin }),
      open: way({ path: predict('open'), headers: right }),
      guarded: way({ path: predict('guarded'), headers: right }),
      asks: way({ path: predict('asks'), headers: right }),
      asksGuarded: way({ path: predict('asks-guarded'), headers: right }),
      wrong: way({ path: predict('guarded'), headers: wrong, status: 401 }),
    };
    console.log(`\n# Guards, ${kind}`);
    report('time of an answer, one connection', ' ms', await answerTimes(service, ways));
    report(`processor time a call, ${CONNECTIONS} connections`, ' ms', await medianTimes(service, ways));
  } finally {
    await service.stop();
    await model.stop();
    await place.remove();
  }
}
