/**
 * kill -9 at random moments under mixed load (predictions, captures, renders), 200 times over: no acknowledged
 * photograph is lost, none is in two reports, no run is charged twice, no record is left running, and the service is
 * ready again within 3 s.
 */
import pg from 'pg';
import sharp from 'sharp';
import sqlite3 from 'sqlite3';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { databaseKinds, makePlace } from './support/place.mjs';
import { atMost, Proof } from './support/report.mjs';
import { dist, replyFlow, startService } from './support/service.mjs';

const CYCLES = Number(process.env.PROVE_CYCLES ?? 200);
const proof = new Proof('prove:kill');

async function query(place, sql) {
  if (place.kind === 'postgres') {
    const client = new pg.Client({ connectionString: place.databaseUrl });
    await client.connect();
    const { rows } = await client.query(sql);
    await client.end();
    return rows;
  }
  const file = place.databaseUrl.replace(/^sqlite:/, '');
  const database = new sqlite3.Database(file, sqlite3.OPEN_READONLY);
  const rows = await new Promise((resolve, reject) =>
    database.all(sql, (error, found) => (error ? reject(error) : resolve(found))),
  );
  await new Promise((resolve) => database.close(resolve));
  return rows;
}

const picture = (
  await sharp({ create: { width: 800, height: 600, channels: 3, background: '#8899aa' } })
    .jpeg()
    .toBuffer()
).toString('base64');

/** Clients that call until the service dies under them; what was acknowledged is written down. */
function load(service, cycle, acknowledged) {
  let over = false;
  const loop = async (call) => {
    while (!over) await call().catch(() => (over = true));
  };
  const predict = () => service.predict('paid', { question: `cycle ${cycle}`, chatId: `chat-${cycle % 5}` });
  const capture = async () => {
    const answer = await service.request('POST', '/api/v1/inspection/capture', {
      body: {
        flowId: 'paid',
        sessionId: `session-${cycle % 3}`,
        area: 'Kitchen',
        photographs: [{ data: picture }, { data: picture }],
      },
    });
    if (answer.status === 200) acknowledged.push(...answer.json.recorded.map((photograph) => photograph.id));
  };
  const render = () =>
    service.request('POST', '/api/v1/pdf/render', {
      body: {
        templateId: 'inspection',
        source: { type: 'inspection', sessionId: `session-${cycle % 3}`, meta: {} },
      },
    });
  const loops = Promise.all([
    loop(predict),
    loop(predict),
    loop(predict),
    loop(capture),
    loop(capture),
    loop(render),
  ]);
  return async () => {
    over = true;
    await loops;
  };
}

async function run(kind, cycles) {
  const place = await makePlace(kind);
  const env = { INITIAL_CREDIT: '100000000', RENDERS_PER_MINUTE: '1000000' };
  let service = await startService(place, env);
  // Lives on beside the one that is killed, under the same load.
  const peers = kind === 'postgres' ? [await startService(place, env)] : [];
  await service.createFlow(replyFlow('paid'));
  const acknowledged = [];
  let slowest = 0;
  let leftRunning = 0;
  for (let cycle = 0; cycle < cycles; cycle++) {
    const loads = [service, ...peers].map((target) => load(target, cycle, acknowledged));
    // Every other cycle lives long enough for its picture workers to start and for reports to be drawn.
    await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * (cycle % 2 === 0 ? 900 : 4000)));
    await service.kill();
    await Promise.all(loads.map((settle) => settle()));
    service = await startService(place, env);
    slowest = Math.max(slowest, service.readyAfterMs);
    const running = await query(place, `SELECT count(*) AS n FROM executions WHERE status = 'running'`);
    leftRunning += Number(running[0].n);
    if ((cycle + 1) % 25 === 0)
      proof.note(`${kind}: ${cycle + 1} kills, ${acknowledged.length} photographs acknowledged`);
  }
  const stored = await query(place, 'SELECT id FROM photographs');
  const ids = new Set(stored.map((row) => row.id));
  proof.expect(
    `${kind}: acknowledged photographs lost, of ${acknowledged.length}`,
    acknowledged.filter((id) => !ids.has(id)).length,
    0,
  );
  let unreadable = 0;
  for (const id of acknowledged) {
    for (const form of ['original', 'print']) {
      const answer = await service.admin('GET', `/api/v1/inspection/photographs/${id}/${form}`);
      if (answer.status !== 200 || answer.bytes.length === 0) unreadable++;
    }
  }
  proof.expect(`${kind}: files of acknowledged photographs that cannot be read`, unreadable, 0);
  await expectOneReportEach(kind, place, service);
  proof.expect(`${kind}: records left running after a restart`, leftRunning, 0);
  proof.measure(`${kind}: slowest start to ready, ms`, Math.round(slowest), atMost(3000));
  for (const running of [service, ...peers]) await running.stop();
  expectNoDrift(kind, place);
  await place.remove();
}

/** Photographs in reports and pending ones together are all that were recorded: none twice, none nowhere. */
async function expectOneReportEach(kind, place, service) {
  for (const sessionId of ['session-0', 'session-1', 'session-2']) {
    // Until nothing is pending any more: the last crash may have left some.
    await service.request('POST', '/api/v1/pdf/render', {
      body: { templateId: 'inspection', source: { type: 'inspection', sessionId, meta: {} } },
    });
  }
  const [{ n: recorded }] = await query(place, 'SELECT count(*) AS n FROM photographs');
  const [{ n: pending }] = await query(place, 'SELECT count(*) AS n FROM photographs WHERE claim_id IS NULL');
  const [{ n: printed }] = await query(place, 'SELECT coalesce(sum(photographs), 0) AS n FROM reports');
  proof.expect(`${kind}: photographs pending at the end`, Number(pending), 0);
  proof.expect(
    `${kind}: photographs in reports − recorded (${recorded})`,
    Number(printed) - Number(recorded),
    0,
  );
}

function expectNoDrift(kind, place) {
  const audit = spawnSync(process.execPath, [join(dist, 'auth', 'credit', 'ledger-audit.command.js')], {
    env: { PATH: process.env.PATH, DATABASE_URL: place.databaseUrl, DATA_DIR: place.dataDir },
    encoding: 'utf8',
  });
  const drift = /drift (\d+)/.exec(audit.stdout)?.[1];
  if (drift !== '0') proof.note(audit.stdout + audit.stderr);
  proof.expect(`${kind}: drift of the ledger`, drift, '0');
}

const kinds = await databaseKinds();
for (const kind of kinds) await run(kind, Math.ceil(CYCLES / kinds.length));
proof.end();
