/**
 * What the guards of a flow cost: the same call to a flow with key, allowed domains and rate limit and to an open one;
 * the same run by the admin key, which passes no guard of a flow; and how little a wrong key costs. Once as the time of
 * an answer on one connection, call by call in turn, and once as processor time of the service under 32 connections.
 * `node bench/guards.mjs [calls in turn] [calls a round] [rounds]`
 */
import { databaseKinds, makePlace } from '../prove/support/place.mjs';
import { ADMIN_KEY, replyFlow, startService } from '../prove/support/service.mjs';
import { cpuMs, figure, interleaved, median } from './support/measure.mjs';

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

/** Milliseconds that each of the ways takes to answer, by name: one call of each, turn by turn. */
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

/** Milliseconds of the service's processor time a call, of each way: the median of rounds in turn. */
async function processorTimes(service, ways) {
  const round = (way) => async () => {
    const before = cpuMs(service.child.pid);
    let begun = 0;
    const caller = async () => {
      while (begun++ < calls) await way();
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, caller));
    return (cpuMs(service.child.pid) - before) / calls;
  };
  const taken = await interleaved(rounds, ...Object.values(ways).map(round));
  return Object.fromEntries(Object.keys(ways).map((name, index) => [name, median(taken[index])]));
}

function report(title, unit, times) {
  console.log(`        ${title}`);
  for (const [name, time] of Object.entries(times)) figure(name, time, unit);
  const { open, guarded, wrong, nothing } = times;
  figure('key, domain and rate limit add to an open flow', (guarded / open - 1) * 100, ' %', ['<=', 10]);
  figure('a wrong key, of an accepted call', (wrong / guarded) * 100, ' %', ['<=', 20]);
  figure(
    'the same beyond an answer that does nothing',
    ((wrong - nothing) / (guarded - nothing)) * 100,
    ' %',
  );
}

for (const kind of await databaseKinds()) {
  const place = await makePlace(kind);
  const service = await startService(place, { INITIAL_CREDIT: '1000000000' });
  try {
    const key = (await service.admin('POST', '/api/v1/api-keys', { name: 'bench' })).json;
    await service.createFlow(replyFlow('open'));
    await service.createFlow(
      replyFlow('guarded', { access: { apiKeyId: key.id, allowedDomains, rateLimit } }),
    );
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
      wrong: way({ path: predict('guarded'), headers: wrong, status: 401 }),
    };
    console.log(`\n# Guards, ${kind}`);
    report('time of an answer, one connection', ' ms', await answerTimes(service, ways));
    report(`processor time a call, ${CONNECTIONS} connections`, ' ms', await processorTimes(service, ways));
  } finally {
    await service.stop();
    await place.remove();
  }
}
