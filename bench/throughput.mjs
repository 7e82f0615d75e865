/**
 * Predictions per second of a start → reply flow against a bare Nest handler that makes one durable TypeORM insert per
 * request: same database, same load, interleaved; with a second build also its calls and slowest hundredth. `node
 * bench/throughput.mjs [seconds per round] [rounds] [another build: its dist, measured in rotation with this one]`
 */
import { databaseKinds, makePlace } from '../prove/support/place.mjs';
import { dist, replyFlow, startService } from '../prove/support/service.mjs';
import { load } from './support/load.mjs';
import { cpuMs, figure, interleaved, median } from './support/measure.mjs';
import { sideProcess } from './support/side-process.mjs';

const seconds = Number(process.argv[2] ?? 4);
const rounds = Number(process.argv[3] ?? 5);
const builds = [dist, ...process.argv.slice(4)];

/** Starts a build on a database of its own, with the called flow. */
async function startBuild(kind, build) {
  const place = await makePlace(kind);
  const env = { INITIAL_CREDIT: '1000000000', UV_THREADPOOL_SIZE: undefined };
  const service = await startService(place, env, build);
  await service.createFlow(replyFlow('bench-reply'));
  return {
    url: `${service.url}/api/v1/prediction/bench-reply`,
    pid: service.child.pid,
    async stop() {
      await service.stop();
      await place.remove();
    },
  };
}

async function measured({ url, pid }, connections) {
  const before = cpuMs(pid);
  const result = await load(url, { body: { question: 'Hello' }, connections, seconds });
  return { ...result, cpu: (cpuMs(pid) - before) / result.total };
}

for (const kind of await databaseKinds()) {
  const barePlace = await makePlace(kind);
  const bare = await sideProcess('bare-nest.mjs', barePlace.databaseUrl);
  const services = [];
  try {
    for (const build of builds) services.push(await startBuild(kind, build));
    console.log(`\n# Throughput, ${kind}`);
    for (const connections of [32, 1]) {
      const ways = [bare, ...services].map((target) => () => measured(target, connections));
      for (const way of ways) await way();
      const [yardstick, ours, other] = await interleaved(rounds, ...ways);
      const of = (results, what) => median(results.map((result) => result[what]));
      const perSecond = (results) => of(results, 'perSecond');
      figure(`bare handler, ${connections} connections`, Math.round(perSecond(yardstick)), '/s');
      figure(`predictions, ${connections} connections`, Math.round(perSecond(ours)), '/s');
      const ratio = (perSecond(ours) / perSecond(yardstick)) * 100;
      figure('processor time of a bare call', of(yardstick, 'cpu'), ' ms');
      figure('processor time of a prediction', of(ours, 'cpu'), ' ms');
      figure('of the bare handler', ratio, ' %', connections === 32 ? ['>=', 60] : undefined);
      if (!other) continue;
      figure('of the other build, calls', (perSecond(ours) / perSecond(other)) * 100, ' %');
      figure('of the other build, p99', (of(ours, 'p99') / of(other, 'p99')) * 100, ' %');
      figure('of the other build, processor time', (of(ours, 'cpu') / of(other, 'cpu')) * 100, ' %');
    }
  } finally {
    for (const service of services) await service.stop();
    await bare.stop();
    await barePlace.remove();
  }
}
