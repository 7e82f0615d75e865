/**
 * A power cut: the built service runs a mixed load under a recorder of all its disk operations; then, after each
 * operation, the disk is assembled as POSIX allows it to be after a power cut there (unsynced data gone, torn or
 * reordered, names in unsynced folders gone), the service is opened on it, and nothing acknowledged until then may be
 * missing, the ledger has no drift, every named file is complete. 10,000 states, opened in this process by the
 * application itself, 200 of them also by a start of the service. SQLite, blobs and secrets; PostgreSQL guards its own
 * log.
 */
import './support/short-sizes.mjs';
import { createHash } from 'node:crypto';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Disk, isFolder } from './power/disk.mjs';
import { Load } from './power/load.mjs';
import { cutPower, losses } from './power/losses.mjs';
import { Opening } from './power/opening.mjs';
import { Promises } from './power/promises.mjs';
import { compileRecorder, Recording } from './power/recording.mjs';
import { samplePlan } from './power/sample-plan.mjs';
import { StateFolder } from './power/state-folder.mjs';
import { randomFrom } from './support/random.mjs';
import { Proof } from './support/report.mjs';

const STATES = Number(process.env.PROVE_STATES ?? 10_000);
const STARTS = Number(process.env.PROVE_STARTS ?? 200);
const ROUNDS = Number(process.env.PROVE_ROUNDS ?? 8);
const SEED = Number(process.env.PROVE_SEED ?? Date.now() % 1_000_000);
const proof = new Proof('prove:power');

/** Records three runs of the service: one is killed at work, one is shut down, one follows. */
async function record(recording) {
  const load = new Load(recording);
  let service = await recording.start();
  load.attach(service);
  await load.prepare();
  await load.run(ROUNDS);
  const settle = load.begin(ROUNDS * 10);
  await new Promise((resolve) => setTimeout(resolve, 400));
  await service.crash();
  await settle();
  service = await recording.start();
  load.attach(service);
  await load.run(ROUNDS);
  await service.stop();
  service = await recording.start();
  load.attach(service);
  await load.run(ROUNDS);
  await service.crash();
  return load.acknowledged;
}

/** Expects that the replayed operations equal the real disk: nothing escaped the recorder. */
function expectComplete(disk, root) {
  const unlike = [];
  for (const [path, node] of filesIn(disk.root)) {
    if (!path.endsWith('-shm') && !readFileSync(join(root, path)).equals(node.seen.bytes)) unlike.push(path);
  }
  proof.expect('files that the recording does not add up to', unlike.join(', ') || 0, 0);
}

function* filesIn(folder, path = '') {
  for (const [name, node] of folder.seen) {
    if (isFolder(node)) yield* filesIn(node, `${path}${name}/`);
    else yield [`${path}${name}`, node];
  }
}

/** Dates each answer by the number of its record. */
function datedFacts(records, facts) {
  const sent = new Map();
  records.forEach(({ kind, life, number }, index) => {
    if (kind === 'answer') sent.set(`${life}:${number}`, sent.has(`${life}:${number}`) ? NaN : index + 1);
  });
  const dated = facts.map((fact) => ({ ...fact, moment: sent.get(`${fact.life}:${fact.port}`) }));
  if (dated.some(({ moment }) => !(moment > 0))) throw new Error('an answer is not on record, or twice');
  return dated.sort((one, other) => one.moment - other.moment);
}

/** Prefers a folder in memory: no state need outlive the proof. */
const roomy = () => {
  try {
    accessSync('/dev/shm', constants.W_OK);
    return '/dev/shm';
  } catch {
    return tmpdir();
  }
};

async function run(directory, scratch, library) {
  const recording = new Recording(library, directory);
  const startedAt = performance.now();
  const facts = await record(recording);
  const records = recording.records();
  const whole = new Disk();
  const changes = records.map((one) => whole.take(one));
  const steps = changes.filter(Boolean).length;
  const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(0)} s`;
  proof.note(`${steps} steps and ${facts.length} acknowledged calls recorded in ${seconds(startedAt)}`);
  expectComplete(whole, recording.root);
  const hashes = [...filesIn(whole.root)].map(([path, node]) => [
    path,
    createHash('sha256').update(node.seen.bytes).digest('hex'),
  ]);
  const promises = new Promises(new Map(hashes));
  const dated = datedFacts(records, facts);
  const plan = samplePlan({
    changes,
    dated,
    states: STATES,
    starts: STARTS,
    seed: SEED,
    kinds: Object.keys(losses),
  });
  const tried = [...plan.keys()].filter((moment) => changes[moment - 1]).length;
  proof.note(`power cut after ${tried === steps ? 'every one' : `${tried}`} of the ${steps} steps`);
  await openStates({
    records,
    dated,
    plan,
    promises,
    folder: new StateFolder(join(scratch, 'state')),
    scratch,
  });
}

async function openStates({ records, dated, plan, promises, folder, scratch }) {
  const opening = new Opening(folder, promises, scratch);
  const random = randomFrom(SEED);
  const disk = new Disk();
  const startedAt = performance.now();
  for (const [index, record] of records.entries()) {
    disk.take(record);
    for (const { kind, started } of plan.get(disk.moment) ?? []) {
      const files = cutPower(disk, kind, random);
      folder.show(files);
      const acknowledged = dated.filter(({ moment }) => moment <= disk.moment);
      const where = `after step ${index + 1} (${record.kind} ${record.path ?? ''}), lost: ${kind}`;
      await opening.check({ files, acknowledged, where, started });
      if (opening.opened % 1000 === 0) proof.note(`${opening.opened} states opened, at step ${index + 1}`);
    }
    if (opening.hopeless) break;
  }
  report(opening, startedAt);
}

function report(opening, startedAt) {
  const { opened, started, faults, acknowledged } = opening;
  const each = ((performance.now() - startedAt) / opened).toFixed(0);
  proof.note(`${opened} states opened, ${started} of them by a start too, ${each} ms each`);
  proof.note(`up to ${acknowledged} acknowledged calls looked for in a state; seed ${SEED}`);
  for (const text of opening.examples) proof.note(text);
  proof.expect(`states that do not open, of ${opened}`, faults.opening, 0);
  proof.expect('states in which something acknowledged is missing', faults.acknowledged, 0);
  proof.expect('states in which a named file is missing or not whole', faults.files, 0);
  proof.expect('states with another secret than the one that was used', faults.secrets, 0);
  proof.expect('states whose ledger drifts', faults.ledger, 0);
  proof.expect('states with photographs in two reports or in none', faults.claims, 0);
  proof.expect('states with records left running', faults.records, 0);
  proof.expect('databases that are not intact', faults.database, 0);
  proof.expect('starts that fail or do not give back what was acknowledged', faults.start, 0);
  if (!opening.hopeless) proof.expect('states in all', opened >= STATES ? 'all' : opened, 'all');
}

const directory = mkdtempSync(join(tmpdir(), 'power-'));
const scratch = mkdtempSync(join(roomy(), 'power-'));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
process.on('exit', () =>
  [directory, scratch].forEach((path) => rmSync(path, { recursive: true, force: true })),
);
const library = process.platform === 'linux' ? compileRecorder(directory) : undefined;
if (library) await run(directory, scratch, library);
else if (process.env.REQUIRE_SERVICES === '1')
  throw new Error('the recorder needs Linux and a C compiler, and REQUIRE_SERVICES=1');
else console.log('SKIPPED: the recorder needs Linux and a C compiler');
proof.end();
process.exit();
