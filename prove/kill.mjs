/**
 * kill -9 at random moments under mixed load (predictions, captures, messages with photographs, renders, corrections),
 * 200 times in a row. Each photograph and each call is retried under a key until it is answered; the recorded, printed
 * and charged items are compared with the sent ones: nothing acknowledged is lost, nothing is recorded, printed or
 * charged twice, no record is left running, corrections are stored whole or not at all, and the service is ready again
 * within 3 s. On PostgreSQL three processes stand behind a proxy; any of them is killed, every other time while the
 * others continue.
 */
import './support/short-sizes.mjs';
import { startDeployment } from './support/deployment.mjs';
import { auditLedger, photographsOfReports, tally, unreadableFiles } from './support/evidence.mjs';
import { expectCorrectedOnce } from './support/kill-corrections.mjs';
import { KillLoad, renderBody, SESSIONS } from './support/kill-load.mjs';
import { databaseKinds, makePlace, query } from './support/place.mjs';
import { atMost, countBy, Proof } from './support/report.mjs';
import { albumFlow, replyFlow } from './support/service.mjs';

const CYCLES = Number(process.env.PROVE_CYCLES ?? 200);
const CREDIT = 100_000_000;
const proof = new Proof('prove:kill');

const runningRecords = async (place) =>
  Number((await query(place, `SELECT count(*) AS n FROM executions WHERE status = 'running'`))[0].n);

async function run(kind, cycles) {
  const place = await makePlace(kind);
  const env = { INITIAL_CREDIT: String(CREDIT), RENDERS_PER_MINUTE: '1000000' };
  const service = await startDeployment(place, env);
  await service.createFlow(replyFlow('paid'));
  await service.createFlow(albumFlow('album'));
  const load = new KillLoad();
  load.goOn(service);
  const clients = load.begin();
  let slowest = 0;
  let leftRunning = 0;
  for (let cycle = 0; cycle < cycles; cycle++) {
    // Every other cycle lives long enough for its picture workers to start and for reports to be drawn.
    await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * (cycle % 2 === 0 ? 900 : 4000)));
    const dying = service.memberAt(Math.random());
    // The start is timed only while no other process is busy.
    const alone = kind === 'sqlite' || cycle % 4 < 2;
    const paused = alone && load.pause();
    await dying.kill();
    await paused;
    const { readyAfterMs } = await service.replace(dying);
    if (alone) slowest = Math.max(slowest, readyAfterMs);
    // On PostgreSQL a process counts as dead after 3 s, and no start waits for that.
    if (kind === 'sqlite') leftRunning += await runningRecords(place);
    load.goOn(service);
    if ((cycle + 1) % 25 === 0)
      proof.note(`${kind}: ${cycle + 1} kills, ${load.captured.size + load.chatted.size} photographs sent`);
  }
  const expectNoneRunning = () =>
    proof.expect(`${kind}: records left running after a restart`, leftRunning, 0);
  if (kind === 'sqlite') expectNoneRunning();
  load.over = true;
  await clients;
  if (kind === 'postgres') {
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    leftRunning += await runningRecords(place);
    expectNoneRunning();
  }
  load.unexpected.slice(0, 5).forEach((said) => proof.note(said));
  proof.expect(`${kind}: calls that were not answered 200 in the end`, load.unexpected.length, 0);
  proof.measure(`${kind}: slowest start to ready, ms`, Math.round(slowest), atMost(3000));
  await expectRecordedOnce(kind, place, load);
  await expectFiles(kind, service, load);
  await expectCorrectedOnce(proof, kind, { place, service }, load.corrections);
  await expectPrintedOnce(kind, place, service, load);
  await expectChargedOnce(kind, service, load);
  await service.stop();
  expectNoDrift(kind, place);
  await place.remove();
}

async function expectRecordedOnce(kind, place, load) {
  const rows = await query(place, 'SELECT sha256 FROM photographs');
  const counts = countBy(rows, (row) => row.sha256);
  const captured = tally(load.captured, counts);
  const chatted = tally(load.chatted, counts);
  proof.note(`${kind}: ${load.retries} tries that were cut or put off and made again under their key`);
  proof.expect(
    `${kind}: photographs lost, of ${load.captured.size} sent to the capture route`,
    captured.lost,
    0,
  );
  proof.expect(`${kind}: of them recorded twice`, captured.twice, 0);
  proof.expect(`${kind}: photographs lost, of ${load.chatted.size} sent in a chat`, chatted.lost, 0);
  proof.expect(`${kind}: of those of chats recorded twice`, chatted.twice, 0);
}

async function expectFiles(kind, service, load) {
  const unreadable = await unreadableFiles(service, load.ids);
  proof.expect(`${kind}: files of acknowledged photographs that cannot be read`, unreadable, 0);
}

/** With nothing pending any more, the evidence of all reports lists each sent photograph, in one report only. */
async function expectPrintedOnce(kind, place, service, load) {
  for (const sessionId of [...SESSIONS, ...load.corrections.sessions])
    await service.request('POST', '/api/v1/pdf/render', { body: renderBody(sessionId) });
  const [{ n: recorded }] = await query(place, 'SELECT count(*) AS n FROM photographs');
  const [{ n: pending }] = await query(place, 'SELECT count(*) AS n FROM photographs WHERE claim_id IS NULL');
  const printed = await photographsOfReports(place, service);
  const counts = countBy(printed, (sha256) => sha256);
  const captured = tally(load.captured, counts);
  const chatted = tally(load.chatted, counts);
  proof.expect(`${kind}: photographs pending at the end`, Number(pending), 0);
  proof.expect(
    `${kind}: photographs in reports − recorded (${recorded})`,
    printed.length - Number(recorded),
    0,
  );
  proof.expect(`${kind}: sent photographs in no report`, captured.lost + chatted.lost, 0);
  proof.expect(`${kind}: photographs of the capture route printed twice`, captured.twice, 0);
  proof.expect(`${kind}: photographs of chats printed twice`, chatted.twice, 0);
}

/** A run costs one credit, so the account has paid for the sent calls. */
async function expectChargedOnce(kind, service, load) {
  const { json } = await service.admin('GET', '/api/v1/credit/default');
  proof.expect(
    `${kind}: credits charged − calls sent (${load.paidCalls})`,
    CREDIT - json.balance - load.paidCalls,
    0,
  );
}

function expectNoDrift(kind, place) {
  const { drift, said } = auditLedger(place);
  if (drift !== '0') proof.note(said);
  proof.expect(`${kind}: drift of the ledger`, drift, '0');
}

const kinds = await databaseKinds();
for (const kind of kinds) await run(kind, Math.ceil(CYCLES / kinds.length));
proof.end();
