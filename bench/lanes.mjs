/**
 * The best number of write lanes in a process, on PostgreSQL with disks that take 5 and 50 ms for a commit: calls per
 * second and the time of a call with 1, 2, 4, 8 and 16 lanes and 8, 32 and 64 concurrent callers, each with a flow, an
 * account and a chat of its own. `node bench/lanes.mjs [seconds per round] [rounds]`
 */
import { databaseKinds, makePlace } from '../prove/support/place.mjs';
import { startService } from '../prove/support/service.mjs';
import { startSlowCommits } from '../prove/support/slow-commits.mjs';
import { figure, interleaved, median } from './support/measure.mjs';
import { callersOf, paidFlow } from './support/paid-calls.mjs';

const seconds = Number(process.argv[2] ?? 3);
const rounds = Number(process.argv[3] ?? 3);
const COMMITS_MS = [5, 50];
const LANES = [1, 2, 4, 8, 16];
const CALLERS = [8, 32, 64];

async function measure(commitMs) {
  const place = await makePlace('postgres');
  const disk = await startSlowCommits(place.databaseUrl, commitMs);
  const slow = { ...place, databaseUrl: disk.url };
  const env = (lanes) => ({ INITIAL_CREDIT: '1000000000', WRITE_LANES: String(lanes) });
  const services = [];
  try {
    for (const lanes of LANES) services.push(await startService(slow, env(lanes)));
    const own = Array.from({ length: Math.max(...CALLERS) }, (_, index) => `own-${index}`);
    await Promise.all(own.map((id) => paidFlow(services[0], id, id)));
    const measureCallers = callersOf({ seconds, commitMs });
    const ways = services.flatMap((service) =>
      CALLERS.map((count) => () => measureCallers([service], { flows: own.slice(0, count), disk })),
    );
    for (const way of ways) await way();
    const taken = await interleaved(rounds, ...ways);
    console.log(`\n# Lanes, postgres, ${commitMs} ms a commit`);
    for (const [index, results] of taken.entries()) {
      const lanes = LANES[Math.floor(index / CALLERS.length)];
      const what = `${lanes} lanes, ${CALLERS[index % CALLERS.length]} callers`;
      const of = (name) => median(results.map((result) => result[name]));
      figure(`${what}: calls`, of('perSecond'), '/s');
      figure(`${what}: p50 of a call`, of('commitsLong') * commitMs, ' ms');
    }
  } finally {
    for (const service of services) await service.stop();
    disk.close();
    await place.remove();
  }
}

if ((await databaseKinds()).includes('postgres')) for (const commitMs of COMMITS_MS) await measure(commitMs);
