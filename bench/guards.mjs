/**
 * What the guards of a flow cost, in processor time of the service a call: a keyed flow with allowed domains and a
 * rate limit, an open flow, and the same run by the admin key, which passes no guard of a flow. And how little a wrong
 * key costs. `node bench/guards.mjs [calls a round] [rounds]`
 */
import { databaseKinds, makePlace } from '../prove/support/place.mjs';
import { ADMIN_KEY, replyFlow, startService } from '../prove/support/service.mjs';
import { cpuMs, figure, interleaved, median } from './support/measure.mjs';

const calls = Number(process.argv[2] ?? 1500);
const rounds = Number(process.argv[3] ?? 7);
const CONNECTIONS = 32;
const ORIGIN = 'https://shop.example.com';

const rateLimit = { limit: 1_000_000, windowSeconds: 3600 };
const allowedDomains = ['example.org', '*.example.com'];

/** Answers a function that makes `calls` calls and resolves to the milliseconds of processor time that each took. */
function measured(service, path, headers, status = 200) {
  return async () => {
    const before = cpuMs(service.child.pid);
    let begun = 0;
    const caller = async () => {
      while (begun++ < calls) {
        const answer = await service.request('POST', path, { body: { question: 'Hello' }, headers });
        if (answer.status !== status) throw new Error(`${path}: ${answer.status} ${answer.text}`);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, caller));
    return (cpuMs(service.child.pid) - before) / calls;
  };
}

async function compare(service, a, b) {
  await a();
  await b();
  const [as, bs] = await interleaved(rounds, a, b);
  const [one, other] = [median(as), median(bs)];
  const added = (median(bs.map((time, round) => time / as[round])) - 1) * 100;
  return { one, other, added };
}

async function makeFlows(service, key) {
  const guarded = { apiKeyId: key.id, allowedDomains, rateLimit };
  await service.createFlow(replyFlow('open'));
  await service.createFlow(replyFlow('guarded', { access: guarded }));
  await service.createFlow(replyFlow('keyed', { access: { apiKeyId: key.id } }));
  await service.createFlow(replyFlow('domains', { access: { allowedDomains } }));
  await service.createFlow(replyFlow('limited', { access: { rateLimit } }));
}

for (const kind of await databaseKinds()) {
  const place = await makePlace(kind);
  const service = await startService(place, { INITIAL_CREDIT: '1000000000' });
  try {
    const key = (await service.admin('POST', '/api/v1/api-keys', { name: 'bench' })).json;
    await makeFlows(service, key);
    const bearer = { Authorization: `Bearer ${key.key}` };
    const wrong = { Authorization: `Bearer ${key.key.slice(0, -4)}abcd`, Origin: ORIGIN };
    const predict = (id, headers, status) => measured(service, `/api/v1/prediction/${id}`, headers, status);
    const open = predict('open', {});
    const guarded = predict('guarded', { ...bearer, Origin: ORIGIN });
    const admin = measured(service, '/api/v1/flows/open/run', { Authorization: `Bearer ${ADMIN_KEY}` });
    console.log(`\n# Guards, ${kind}, processor time of a call`);

    const all = await compare(service, admin, guarded);
    figure('run by the admin key, no guards', all.one, ' ms');
    figure('prediction with key, domain and rate limit', all.other, ' ms');
    figure('all guards together add', all.added, ' %', ['<=', 10]);
    figure('of which an open flow has already', (await compare(service, admin, open)).added, ' %');
    figure(
      'key, domain and rate limit add to an open flow',
      (await compare(service, open, guarded)).added,
      ' %',
    );
    for (const [id, headers] of [
      ['keyed', bearer],
      ['domains', { Origin: ORIGIN }],
      ['limited', {}],
    ])
      figure(`of which: ${id}`, (await compare(service, open, predict(id, headers))).added, ' %');

    const refused = await compare(service, guarded, predict('guarded', wrong, 401));
    figure('a wrong key', refused.other, ' ms');
    figure('of an accepted call', 100 + refused.added, ' %', ['<=', 20]);
    const unlimited = await compare(service, predict('keyed', bearer), predict('keyed', wrong, 401));
    figure('a wrong key, where no rate limit is announced', unlimited.other, ' ms');
    figure('of an accepted call', 100 + unlimited.added, ' %');
  } finally {
    await service.stop();
    await place.remove();
  }
}
