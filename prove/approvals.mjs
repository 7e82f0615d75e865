/**
 * Checks that one of many clicks on an approval decides it, and that the run then has each effect once. The flow is
 * start → capture → human → http POST → http PUT → human → http POST → reply. The process is killed before and after
 * every commit, rename of a file, outgoing request and answer, during the first call and during each of the two clicks.
 * The same call is then retried until it is answered: on SQLite by the restarted service, on PostgreSQL by two other
 * processes behind a proxy. Late clicks on an earlier approval and fifty concurrent clicks, some approving and some
 * rejecting, come in between. Expected: one photograph and one charge; each POST at most once, or `effect_unknown`
 * reported; the PUT at most twice, both under one `Idempotency-Key`; one decision per approval; nothing left running or
 * waiting. On PostgreSQL a process is also suspended during a request and resumed after another process has ended its
 * run: it must send no further request.
 */
import './support/short-sizes.mjs';
import { ApprovalTrial, CLICKS, MOMENTS } from './support/approval-trial.mjs';
import { startTarget } from './support/doomed.mjs';
import { databaseKinds, makePlace, query } from './support/place.mjs';
import { atMost, countBy, Proof } from './support/report.mjs';

/** Processes to kill, on all databases together. */
const KILLS = Number(process.env.PROVE_KILLS ?? 500);
/** Sessions between two crowds of fifty concurrent clicks, which replace a single one. */
const CROWD_EVERY = Number(process.env.PROVE_CROWD_EVERY ?? 5);
const proof = new Proof('prove:approvals');

async function prove(kind, wanted) {
  const place = await makePlace(kind);
  const target = await startTarget();
  const env = {
    INITIAL_CREDIT: '100000',
    OUTBOUND_ALLOW: `127.0.0.1:${target.port}`,
    STREAM_GRACE_SECONDS: '0',
  };
  const trial = new ApprovalTrial(kind, place, env, target);
  await trial.open();
  const points = await trial.count(proof);
  const places = MOMENTS.flatMap((moment) =>
    Array.from({ length: points[moment] }, (_, at) =>
      ['before', 'after'].map((when) => ({ moment, point: `${at + 1}:${when}` })),
    ).flat(),
  );
  // Takes each place in turn; a smaller sample is evenly spread.
  const step = Math.max(1, places.length / wanted);
  for (let time = 0; trial.counts.kills < wanted && time < wanted * 3; time++) {
    const { moment, point } = places[Math.floor(time * step) % places.length];
    await trial.run(`${kind}-${time}`, moment, point, time % CROWD_EVERY === 0 && moment !== 'second');
  }
  if (kind === 'postgres')
    proof.expect(`${kind}: requests of a process that woke up too late`, await trial.wake('woken'), 0);
  await report(kind, trial, place, target);
  await trial.close();
  target.close();
  await place.remove();
}

async function report(kind, { counts, sessions, living }, place, target) {
  const names = [...sessions.keys()];
  const of = (status) => names.filter((name) => sessions.get(name).status === status);
  const [good, failed] = [of(200), of(500)];
  proof.note(
    `${kind}: ${counts.kills} kills, ${names.length} runs, ${counts.crowds} times ${CLICKS} clicks at once`,
  );
  proof.expect(`${kind}: runs answered neither 200 nor 500`, names.length - good.length - failed.length, 0);
  const record = async (id) => (await living.admin('GET', `/api/v1/executions/${id}`)).json;
  let unreported = 0;
  for (const name of failed)
    if ((await record(sessions.get(name).json.executionId)).code !== 'effect_unknown') unreported++;
  proof.note(`${kind}: of them told that an effect is unknown: ${failed.length}`);
  proof.expect(`${kind}: failed without saying that`, unreported, 0);

  proof.expect(`${kind}: late clicks that were told something else than then`, counts.lateOther, 0);
  proof.expect(`${kind}: late other clicks not told what was`, counts.lateUnlike, 0);
  proof.expect(`${kind}: stops that a late click moved`, counts.moved, 0);
  proof.expect(`${kind}: crowds of which not one click decided`, counts.decidedTwice, 0);
  proof.expect(`${kind}: clicks at once that were told wrong`, counts.toldWrong, 0);

  const times = (name) =>
    Object.values(
      countBy(
        target.asked.filter((each) => each.kind === name),
        ({ session }) => session,
      ),
    );
  for (const post of ['book', 'pay'])
    proof.expect(`${kind}: POSTs of ${post} sent twice`, times(post).filter((n) => n > 1).length, 0);
  const notes = target.asked.filter((each) => each.kind === 'note');
  proof.note(`${kind}: PUTs sent twice: ${times('note').filter((n) => n === 2).length}`);
  proof.expect(`${kind}: PUTs sent more than twice`, times('note').filter((n) => n > 2).length, 0);
  const keys = new Set(notes.map(({ session, key }) => `${session} ${key}`));
  proof.expect(`${kind}: PUTs under another key`, keys.size - times('note').length, 0);
  const photographs = countBy(
    await query(place, 'SELECT session_id FROM photographs'),
    (row) => row.session_id,
  );
  proof.expect(
    `${kind}: runs with another number of photographs than one`,
    names.filter((name) => photographs[name] !== 1).length,
    0,
  );
  const left = await query(
    place,
    `SELECT count(*) AS n FROM executions WHERE status IN ('running', 'waiting') AND kind = 'prediction'`,
  );
  proof.expect(`${kind}: records left running or waiting`, Number(left[0].n), 0);
  const stops = await query(place, 'SELECT decided_by FROM run_stops');
  const decisions = stops.filter(({ decided_by }) => decided_by !== null);
  proof.expect(`${kind}: stops without a decision`, stops.length - decisions.length, 0);
  const { json: credit } = await living.admin('GET', '/api/v1/credit/default');
  proof.expect(`${kind}: credits charged − runs answered 200`, 100_000 - credit.balance - good.length, 0);
  // The restart of the service on SQLite, the takeover of the run by another process on PostgreSQL.
  const slowest = `${kind}: ms until a call that was cut was answered`;
  if (kind === 'postgres') proof.measure(slowest, Math.round(counts.slowest), atMost(6_500));
  else proof.note(`${slowest}: ${Math.round(counts.slowest)}`);
}

const kinds = await databaseKinds();
for (const kind of kinds) await prove(kind, Math.ceil(KILLS / kinds.length));
proof.end();
