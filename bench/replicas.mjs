/**
 * Contention between writers on PostgreSQL with a disk that takes 50 ms for a commit: calls per second of three
 * replicas against one, each called by 8 concurrent callers with a flow, an account and a chat of their own; the number
 * of successive commits in a call; and the effect of paying all calls from one account. `node bench/replicas.mjs
 * [seconds per round] [rounds] [another build: its dist, measured in rotation with this one]`
 */
import { databaseKinds, makePlace } from '../prove/support/place.mjs';
import { dist, startService } from '../prove/support/service.mjs';
import { startSlowCommits } from '../prove/support/slow-commits.mjs';
import { figure, interleaved, median } from './support/measure.mjs';
import { callersOf, paidFlow } from './support/paid-calls.mjs';

const seconds = Number(process.argv[2] ?? 4);
const rounds = Number(process.argv[3] ?? 3);
const builds = [dist, ...process.argv.slice(4)];
const COMMIT_MS = 50;
const REPLICAS = 3;
const CALLERS = 8;
const MANY = 64;
const measure = callersOf({ seconds, commitMs: COMMIT_MS });

/** Starts the replicas of one build, on a database of their own behind a slow disk. */
async function startReplicas(build) {
  const place = await makePlace('postgres');
  const disk = await startSlowCommits(place.databaseUrl, COMMIT_MS);
  const slow = { ...place, databaseUrl: disk.url };
  const env = { INITIAL_CREDIT: '1000000000' };
  const first = await startService(slow, env, build);
  const services = [
    first,
    ...(await Promise.all(Array.from({ length: REPLICAS - 1 }, () => startService(slow, env, build)))),
  ];
  const own = Array.from({ length: MANY }, (_, index) => `own-${index}`);
  await Promise.all(own.map((id) => paidFlow(first, id, id)));
  const hot = Array.from({ length: REPLICAS * CALLERS }, (_, index) => `hot-${index}`);
  await Promise.all(hot.map((id) => paidFlow(first, id, 'hot')));
  return {
    services,
    disk,
    own,
    hot,
    async stop() {
      await Promise.all(services.map((service) => service.stop()));
      disk.close();
      await place.remove();
    },
  };
}

const ways = ({ services, disk, own, hot }) => {
  const [one] = services;
  const flowsOf = (names, count) => ({ flows: names.slice(0, count), disk });
  return [
    () => measure([one], flowsOf(own, CALLERS)),
    () => measure(services, flowsOf(own, REPLICAS * CALLERS)),
    () => measure([one], flowsOf(own, MANY)),
    () => measure([one], flowsOf(hot, CALLERS)),
    () => measure(services, flowsOf(hot, REPLICAS * CALLERS)),
  ];
};

function report(build, taken) {
  const [one, three, many, hotOne, hotThree] = taken.map((results) => ({
    perSecond: median(results.map((result) => result.perSecond)),
    commitsLong: median(results.map((result) => result.commitsLong)),
    commits: median(results.map((result) => result.commits)),
  }));
  console.log(`\n# Replicas, postgres, ${COMMIT_MS} ms a commit${builds.length > 1 ? `, ${build}` : ''}`);
  const callers = `${CALLERS} callers a replica`;
  figure(`calls, one replica, ${callers}`, one.perSecond, '/s');
  figure(`calls, ${REPLICAS} replicas, ${callers}`, three.perSecond, '/s');
  figure(`${REPLICAS} replicas, of one`, three.perSecond / one.perSecond, ' ×', ['>=', 2.5]);
  figure(`p50 of a call, ${CALLERS} callers, in commits`, one.commitsLong, '', ['<=', 2.2]);
  figure(`p50 of a call, ${MANY} callers, in commits`, many.commitsLong, '', ['<=', 3]);
  figure('commits made for a call (they are shared), one replica', one.commits);
  figure(`the same, ${MANY} callers`, many.commits);
  figure(`calls on one account, one replica, ${callers}`, hotOne.perSecond, '/s');
  figure(`calls on one account, ${REPLICAS} replicas, ${callers}`, hotThree.perSecond, '/s');
  figure(`one account, ${REPLICAS} replicas, of one`, hotThree.perSecond / hotOne.perSecond, ' ×');
  figure('p50 on one account, in commits: one replica', hotOne.commitsLong);
  figure(`the same, ${REPLICAS} replicas`, hotThree.commitsLong);
}

if ((await databaseKinds()).includes('postgres')) {
  const stages = [];
  try {
    for (const build of builds) stages.push(await startReplicas(build));
    const all = stages.flatMap(ways);
    // Warms up workers, statements and connections.
    for (const way of all) await way();
    const taken = await interleaved(rounds, ...all);
    const each = all.length / builds.length;
    builds.forEach((build, index) => report(build, taken.slice(index * each, (index + 1) * each)));
  } finally {
    for (const stage of stages) await stage.stop();
  }
}
