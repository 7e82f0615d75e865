/**
 * Three processes on one PostgreSQL, one S3 bucket (`s3rver` in this process) and one Redis behind a plain round-robin
 * proxy, while they are killed (SIGKILL), suspended and woken (SIGSTOP, SIGCONT), and the connections of each to each
 * of the three servers are cut, slowed and half-closed; the clock of one is half a minute fast and that of another half
 * a minute slow. The load: predictions with and without a key, messages of chats, failing runs, runs with external
 * effects, synchronous and async, limited calls, streams, captures, renders and top-ups, 10,000 a round, 20 rounds,
 * each on a database and a bucket of its own. At the end of each the ledger is exact, no rate window is too full,
 * photographs are in one report each and no acknowledged one is lost, every file that a row names is in the bucket and
 * those of photographs are the sent ones, messages of a chat are in order, stream events are in order and without
 * repetition, each call and its external effects happened once and were paid once, each accepted run has ended, and no
 * run of a dead process is left running. `PROVE_SEED` is the first round's seed (the next ones count up),
 * `PROVE_CALLS`, `PROVE_CALLERS` (concurrent), `PROVE_ROUNDS` and `PROVE_STOP_MS` the size; `PROVE_TROUBLE=stop,cut S3`
 * makes these troubles alone.
 */
import './support/short-sizes.mjs';
import { bucketEnv, s3rver, startBucket } from './support/bucket.mjs';
import { expectEffectsOnce, startTarget } from './support/effect-load.mjs';
import { databaseKinds, makePlace, query, redisIsThere, redisUrl } from './support/place.mjs';
import { randomFrom } from './support/random.mjs';
import { fullerWindows } from './support/rate-windows.mjs';
import {
  CountedCalls,
  datedWrong,
  expectDoneOnce,
  expectExactLedger,
  expectPhotographs,
  expectStreams,
  expectTurnsInOrder,
  ownerless,
  recordedUnder,
  stillRunning,
} from './support/replica-checks.mjs';
import { flowsOf, LIMIT, ReplicaLoad, WINDOW_MS } from './support/replica-load.mjs';
import { Replicas } from './support/replica-trouble.mjs';
import { atLeast, Proof, skip } from './support/report.mjs';
import { startRoundRobin } from './support/round-robin.mjs';
import { startTalkingModel } from './support/talking-model.mjs';

const CALLS = Number(process.env.PROVE_CALLS ?? 10_000);
const ROUNDS = Number(process.env.PROVE_ROUNDS ?? 20);
const STOP_MS = Number(process.env.PROVE_STOP_MS ?? 30_000);
const TROUBLE = process.env.PROVE_TROUBLE?.split(',');
const SEED = Number(process.env.PROVE_SEED ?? Date.now() % 1_000_000);
const REPLICAS = 3;
const CALLERS = Number(process.env.PROVE_CALLERS ?? 64);
const CREDIT = 1_000_000;
const SETTLED_MS = 10_000;
const proof = new Proof('prove:replicas');
const pass = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function round(seed) {
  const what = `seed ${seed}`;
  const random = randomFrom(seed);
  const bucket = await startBucket();
  const place = { ...(await makePlace('postgres')), storageEnv: bucketEnv(bucket.endpoint) };
  const [{ fsync, version }] = await query(
    place,
    `SELECT current_setting('fsync') AS fsync, current_setting('server_version') AS version`,
  );
  proof.note(`${what}: PostgreSQL ${version}, fsync ${fsync}`);
  const model = await startTalkingModel(40, 50);
  const target = await startTarget(randomFrom(seed + 2));
  const { port } = target;
  const env = {
    INITIAL_CREDIT: String(CREDIT),
    RENDERS_PER_MINUTE: '1000000',
    OUTBOUND_ALLOW: `127.0.0.1:${port}`,
    LOG_LEVEL: 'error',
  };
  const replicas = new Replicas(place, {
    env,
    servers: { PostgreSQL: place.databaseUrl, S3: bucket.endpoint, Redis: redisUrl },
    random: randomFrom(seed + 1),
    count: REPLICAS,
    stopMs: STOP_MS,
    wanted: TROUBLE,
  });
  await replicas.begin();
  for (const flow of flowsOf(port, model)) await replicas.all[0].service.createFlow(flow);
  const proxy = await startRoundRobin(() => replicas.urls);
  const load = new ReplicaLoad(proxy.url, random, CALLS);
  const counted = new CountedCalls();
  const reading = setInterval(() => void counted.read(place), 5_000);
  const [startedAt, begunAt] = [performance.now(), Date.now()];
  const troubled = replicas.trouble();
  // The last calls are answered without trouble: otherwise a call that must be answered would wait for its end.
  const answered = load.run(CALLERS);
  while (load.sent < CALLS) await pass(100);
  replicas.over = true;
  await troubled;
  await answered;
  const took = ((performance.now() - startedAt) / 1000).toFixed(0);
  clearInterval(reading);
  proof.note(
    `${what}: ${CALLS} calls in ${took} s, ${load.retries} tries made again, ${load.storeAway} told that the bucket is away, ${JSON.stringify(replicas.made)}`,
  );
  for (const server of TROUBLE ? [] : ['PostgreSQL', 'S3', 'Redis'])
    proof.measure(
      `${what}: connections to ${server} cut or half-closed`,
      replicas.struck(server),
      atLeast(1),
    );
  await pass(SETTLED_MS);
  await counted.read(place);
  proof.expect(`${what}: records left running by the dead after 10 s`, (await ownerless(place)).length, 0);
  // Runs whose callers have left are awaited by their process, and cut after their grace period.
  for (let tries = 0; tries < 60 && (await stillRunning(place)) > 0; tries++) await pass(500);
  proof.expect(`${what}: records that are dated by a wrong clock`, await datedWrong(place, begunAt), 0);
  proof.expect(`${what}: records still running after that`, await stillRunning(place), 0);
  load.unexpected.slice(0, 5).forEach((said) => proof.note(said));
  for (const key of load.unanswered.slice(0, 5))
    proof.note(`${key}: ${JSON.stringify(await recordedUnder(place, key))}`);
  proof.expect(`${what}: answers that nobody expects`, load.unexpected.length, 0);
  load.differing.slice(0, 3).forEach((said) => proof.note(said));
  proof.expect(`${what}: answers under a key that differ from the first`, load.differing.length, 0);
  replicas.fallen.slice(0, 2).forEach((log) => proof.note(log.slice(-1_000)));
  proof.expect(`${what}: processes that ended by themselves`, replicas.fallen.length, 0);
  await expectDoneOnce(proof, what, place, load);
  await expectEffectsOnce(proof, what, place, target, load.effects);
  await expectExactLedger(proof, what, place, load, CREDIT);
  proof.expect(`${what}: limited calls refused`, load.overTheLimit, atLeast(1));
  const fuller = fullerWindows(load.limited, LIMIT, WINDOW_MS);
  proof.expect(
    `${what}: of ${load.limited.length} accepted calls: windows with more than ${LIMIT}`,
    fuller,
    0,
  );
  proof.expect(`${what}: accepted and not counted`, Math.max(0, load.limited.length - counted.rows.size), 0);
  proof.expect(`${what}: of ${counted.rows.size} counted ones: the same`, counted.fullerWindows, 0);
  await expectTurnsInOrder(proof, what, place);
  expectStreams(proof, what, load, model);
  await expectPhotographs(proof, what, place, replicas.all[0].service, load);
  await replicas.end();
  proxy.close();
  target.close();
  model.close();
  await bucket.close();
  await place.remove();
}

if (!(await databaseKinds()).includes('postgres')) skip('there is no PostgreSQL');
if (!(await redisIsThere())) skip('there is no Redis');
if (!(await s3rver())) skip('the package s3rver is not installed');
for (let number = 0; number < ROUNDS; number++) await round(SEED + number);
proof.end();
