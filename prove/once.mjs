/**
 * A run has each effect once: a flow start → capture → http POST → http PUT → correct → render with a mail → reply,
 * whose process is killed before and after every commit, rename of a file, outgoing request and answer. The same call is
 * then retried under its key until it is answered: on SQLite by the restarted service, on PostgreSQL by two others behind
 * a proxy.
 * Expected: one photograph, one rotation of it, one report and one charge; the POST at most once, or `effect_unknown`
 * reported; the PUT and the mail at most twice, and then under the same `Idempotency-Key` and `Message-ID`.
 */
import './support/short-sizes.mjs';
import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';
import { startDeployment } from './support/deployment.mjs';
import { answerOf, asking, inARow, later, pointsOf, startDoomed, startTarget } from './support/doomed.mjs';
import { photograph, photographCall } from './support/photograph-call.mjs';
import { databaseKinds, makePlace, query } from './support/place.mjs';
import { atLeast, countBy, Proof } from './support/report.mjs';

/** Points between two kills. */
const STEP = Number(process.env.PROVE_STEP ?? 1);
/** Passes over all points. */
const TIMES = Number(process.env.PROVE_TIMES ?? 4);
const proof = new Proof('prove:once');

/** A mail server that records the Message-ID of each mail, by the session in its subject. */
async function startMailServer() {
  const mails = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      const chunks = [];
      stream.on('data', (chunk) => chunks.push(chunk));
      stream.on('end', () => {
        const head = Buffer.concat(chunks).toString('latin1').split('\r\n\r\n')[0];
        const of = (name) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1];
        mails.push({ session: of('Subject'), id: of('Message-ID') });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return { mails, port: server.server.address().port, close: () => server.close() };
}

const flow = (port) => {
  const asks = asking(port);
  const nodes = [
    { id: 'start', kind: 'start', config: {} },
    { id: 'capture', kind: 'capture', config: { area: 'Hall' } },
    asks('book', 'POST'),
    asks('note', 'PUT'),
    { id: 'correct', kind: 'correct', config: { turn: 90 } },
    {
      id: 'report',
      kind: 'render',
      config: { meta: {}, email: { to: ['agent@example.com'], subject: '{{$flow.chatId}}' } },
    },
    { id: 'reply', kind: 'reply', config: { message: 'done' } },
  ];
  return { id: 'once', name: 'once', price: 1, nodes, edges: inARow(nodes) };
};

const callOf = photographCall('once', await photograph('#775599'));

async function prove(kind) {
  const place = await makePlace(kind);
  const [target, mail] = [await startTarget(), await startMailServer()];
  const env = {
    INITIAL_CREDIT: '100000',
    RENDERS_PER_MINUTE: '1000000',
    LOG_LEVEL: 'fatal',
    OUTBOUND_ALLOW: `127.0.0.1:${target.port}`,
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    STREAM_GRACE_SECONDS: '0',
  };
  const start = () => startDoomed(place, env, [target.port, mail.port]);
  let doomed = await start();
  const peers = kind === 'postgres' ? await startDeployment(place, env, { count: 2 }) : undefined;
  await (peers ?? doomed).createFlow(flow(target.port));

  const counted = await callOf(doomed, `${kind}-count`, { 'x-kill-at': '0:' });
  await later(3_000);
  const points = await pointsOf(doomed);
  proof.expect(`${kind}: the call without a kill`, counted.status, 200);
  proof.expect(`${kind}: points on its way`, points, atLeast(12));

  const answers = new Map([[`${kind}-count`, counted]]);
  let kills = 0;
  for (let time = 0; time < TIMES; time++) {
    for (let at = 1 + (time % STEP); at <= points; at += STEP) {
      for (const when of ['before', 'after']) {
        const session = `${kind}-${time}-${at}-${when}`;
        const first = callOf(doomed, session, { 'x-kill-at': `${at}:${when}` }).catch(() => undefined);
        await Promise.race([doomed.ended, first.then(() => later(2_500))]);
        const died = doomed.child.signalCode !== null;
        if (died) kills++;
        if (died) doomed = await start();
        else await pointsOf(doomed);
        answers.set(session, await answerOf(() => callOf(peers ?? doomed, session)));
      }
    }
  }
  const sessions = [...answers.keys()];
  const mailedTo = () => new Set(mail.mails.map(({ session }) => session));
  const good = sessions.filter((session) => answers.get(session).status === 200);
  for (let tries = 0; tries < 80 && good.some((session) => !mailedTo().has(session)); tries++)
    await later(500);
  await later(3_000);

  const service = peers ?? doomed;
  proof.note(`${kind}: ${kills} kills at ${points} points, ${sessions.length} calls sent until answered`);
  const unknown = sessions.filter((session) => answers.get(session).status === 500);
  proof.expect(
    `${kind}: calls answered neither 200 nor 500`,
    sessions.length - good.length - unknown.length,
    0,
  );
  let unreported = 0;
  for (const session of unknown) {
    const record = await service.admin('GET', `/api/v1/executions/${answers.get(session).json.executionId}`);
    if (record.json.code !== 'effect_unknown') unreported++;
  }
  proof.note(`${kind}: of them told that an effect is unknown: ${unknown.length}`);
  proof.expect(`${kind}: failed without saying that`, unreported, 0);

  const photographs = await query(place, 'SELECT session_id, turn FROM photographs');
  const corrections = await query(place, 'SELECT session_id FROM corrections');
  const [recorded, turned] = [photographs, corrections].map((rows) => countBy(rows, (row) => row.session_id));
  const wrong = { photographs: 0, reports: 0, corrections: 0 };
  for (const session of sessions) {
    const reports = await service.admin('GET', `/api/v1/pdf/reports?sessionId=${session}`);
    if (recorded[session] !== 1) wrong.photographs++;
    // A run that failed with an unknown POST never reached the nodes after it.
    const wanted = answers.get(session).status === 200 ? 1 : 0;
    if ((turned[session] ?? 0) !== wanted) wrong.corrections++;
    if (reports.json.data.length !== wanted) wrong.reports++;
  }
  proof.expect(`${kind}: sessions with another number of photographs than one`, wrong.photographs, 0);
  proof.expect(
    `${kind}: sessions with another number of corrections than one, or none where the POST is unknown`,
    wrong.corrections,
    0,
  );
  const lying = photographs.filter(
    (each) => Number(each.turn) !== 90 * (turned[each.session_id] ?? 0),
  ).length;
  proof.expect(`${kind}: photographs that are not turned as their corrections say`, lying, 0);
  proof.expect(`${kind}: sessions with another number of reports than one`, wrong.reports, 0);

  const of = (name) => target.asked.filter((each) => each.kind === name);
  const times = (list) => Object.values(countBy(list, ({ session }) => session));
  proof.expect(`${kind}: POSTs sent twice`, times(of('book')).filter((n) => n > 1).length, 0);
  proof.expect(`${kind}: PUTs sent more than twice`, times(of('note')).filter((n) => n > 2).length, 0);
  proof.note(`${kind}: PUTs sent twice: ${times(of('note')).filter((n) => n === 2).length}`);
  const keys = new Set(of('note').map(({ session, key }) => `${session} ${key}`));
  proof.expect(`${kind}: PUTs under another key`, keys.size - times(of('note')).length, 0);
  const ids = new Set(mail.mails.map(({ session, id }) => `${session} ${id}`));
  proof.expect(`${kind}: answered calls without a mail`, good.length - mailedTo().size, 0);
  proof.expect(`${kind}: mails under another Message-ID`, ids.size - mailedTo().size, 0);
  proof.expect(`${kind}: mails sent more than twice`, times(mail.mails).filter((n) => n > 2).length, 0);
  const { json: credit } = await service.admin('GET', '/api/v1/credit/default');
  proof.expect(`${kind}: credits charged − calls answered 200`, 100_000 - credit.balance - good.length, 0);

  for (const each of [doomed, peers]) await each?.stop();
  target.close();
  mail.close();
  await place.remove();
}

for (const kind of await databaseKinds()) await prove(kind);
proof.end();
