/**
 * Predictions a second of a start → reply flow against a bare Nest handler that makes one durable TypeORM insert a
 * request: same database, same load, turn by turn. `node bench/throughput.mjs [seconds a round] [rounds]`
 */
import { databaseKinds, makePlace } from '../prove/support/place.mjs';
import { replyFlow, startService } from '../prove/support/service.mjs';
import { load } from './support/load.mjs';
import { cpuMs, figure, interleaved, median } from './support/measure.mjs';
import { sideProcess } from './support/side-process.mjs';

const seconds = Number(process.argv[2] ?? 4);
const rounds = Number(process.argv[3] ?? 5);

for (const kind of await databaseKinds()) {
  const [place, barePlace] = [await makePlace(kind), await makePlace(kind)];
  const bare = await sideProcess('bare-nest.mjs', barePlace.databaseUrl);
  const service = await startService(place, {
    INITIAL_CREDIT: '1000000000',
    UV_THREADPOOL_SIZE: undefined,
  });
  try {
    await service.createFlow(replyFlow('bench-reply'));
    const url = `${service.url}/api/v1/prediction/bench-reply`;
    console.log(`\n# Throughput, ${kind}`);
    for (const connections of [32, 1]) {
      const run = async (target, pid) => {
        const before = cpuMs(pid);
        const result = await load(target, { body: { question: 'Hello' }, connections, seconds });
        return { ...result, cpu: (cpuMs(pid) - before) / result.total };
      };
      const runBare = () => run(bare.url, bare.pid);
      const runOurs = () => run(url, service.child.pid);
      await runBare();
      await runOurs();
      const [yardstick, ours] = await interleaved(rounds, runBare, runOurs);
      const perSecond = (results) => median(results.map((result) => result.perSecond));
      figure(`bare handler, ${connections} connections`, Math.round(perSecond(yardstick)), '/s');
      figure(`predictions, ${connections} connections`, Math.round(perSecond(ours)), '/s');
      const ratio = (perSecond(ours) / perSecond(yardstick)) * 100;
      const cpu = (results) => median(results.map((result) => result.cpu));
      figure('processor time of a bare call', cpu(yardstick), ' ms');
      figure('processor time of a prediction', cpu(ours), ' ms');
      figure('of the bare handler', ratio, ' %', connections === 32 ? ['>=', 60] : undefined);
    }
  } finally {
    await service.stop();
    await bare.stop();
    await place.remove();
    await barePlace.remove();
  }
}
