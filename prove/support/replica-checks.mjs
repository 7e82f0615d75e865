/** Compares the answers received by `prove:replicas` with the records in the database itself. */
import { createHash } from 'node:crypto';
import { auditLedger, auditStorage, photographsOfReports, tally, unreadableFiles } from './evidence.mjs';
import { renderBody } from './kill-load.mjs';
import { query } from './place.mjs';
import { fullerWindows } from './rate-windows.mjs';
import { LIMIT, SESSIONS, TOP_UP, WINDOW_MS } from './replica-load.mjs';
import { countBy } from './report.mjs';
import { faultOf } from './stream-client.mjs';

/** Allowed difference between the times of two machines before one follows the database's. */
const DATED_WITHIN_MS = 2_000;

/**
 * Returns the entry of this key and the executions of its run, with their ages in seconds: the state of an unanswered
 * call.
 */
export const recordedUnder = (place, key) =>
  query(
    place,
    `SELECT k.http_status AS kept, k.process_id IS NOT NULL AS held, x.kind, x.status, x.code, x.attempt, x.process_id,
       round(extract(epoch FROM clock_timestamp()) - x.started_at / 1000) AS began, x.duration_ms AS took
     FROM idempotent_answers k
     LEFT JOIN executions x ON x.id = k.execution_id OR x.id = k.run_id OR x.run_id = COALESCE(k.run_id, k.execution_id)
     WHERE k.idempotency_key = '${key}' ORDER BY x.started_at`,
  );

const numberOf = async (place, sql) => Number((await query(place, sql))[0].n);

/** The session lock that marks a process as alive, in the form of `pg_locks`. */
function lockOf(processId) {
  const digest = createHash('sha256').update(`process:${processId}`).digest();
  return `${digest.readUInt32BE(0)} ${digest.readUInt32BE(4)}`;
}

/** Returns running records whose process holds no lock any more. */
export async function ownerless(place) {
  const running = await query(place, `SELECT id, process_id FROM executions WHERE status = 'running'`);
  const held = await query(
    place,
    `SELECT classid::bigint || ' ' || objid::bigint AS lock FROM pg_locks WHERE locktype = 'advisory' AND granted
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  const living = new Set(held.map(({ lock }) => lock));
  return running.filter(({ process_id: owner }) => !owner || !living.has(lockOf(owner)));
}

/** Returns records that began before this round or after now, by the time of the database (epoch ms). */
export const datedWrong = (place, begunAt) =>
  numberOf(
    place,
    `SELECT count(*) AS n FROM executions WHERE started_at < ${begunAt - DATED_WITHIN_MS}
     OR started_at > extract(epoch FROM clock_timestamp()) * 1000 + ${DATED_WITHIN_MS}`,
  );

export const stillRunning = (place) =>
  numberOf(place, `SELECT count(*) AS n FROM executions WHERE status = 'running'`);

/** The counted calls of the limited flow, collected before they are swept away. */
export class CountedCalls {
  rows = new Map();

  async read(place) {
    const limited = `SELECT nth, counted_at FROM rate_limit_hits WHERE bucket LIKE '%:limited:%'`;
    for (const { nth, counted_at: at } of await query(place, limited)) this.rows.set(nth, Number(at));
  }

  get fullerWindows() {
    const calls = [...this.rows.values()].map((at) => ({ sent: at, answered: at }));
    return fullerWindows(calls, LIMIT, WINDOW_MS);
  }
}

/** The records of each prediction, by its question (a failing one: by its chat). */
async function recordsOf(place) {
  const rows = await query(
    place,
    `SELECT x.question, x.chat_id, x.status, x.code, x.http_status, x.answer, x.error, x.duration_ms,
       COALESCE((SELECT sum(e.amount) FROM credit_entries e WHERE e.execution_id = x.id), 0) AS paid
     FROM executions x WHERE x.kind = 'prediction' AND x.replay_of IS NULL`,
  );
  const records = new Map();
  for (const row of rows) {
    const name = row.question === 'fail' ? row.chat_id : row.question;
    records.set(name, [...(records.get(name) ?? []), { ...row, paid: Number(row.paid) }]);
  }
  return records;
}

const isDone = ({ status }) => status === 'succeeded';
const hasFailed = ({ status, code, http_status: said }) =>
  status === 'failed' && said === 500 && code !== 'interrupted' && code !== 'effect_unknown';

/** Each call happened once if it was answered, at most once if not, and costs one credit if it happened. */
export async function expectDoneOnce(proof, what, place, load) {
  const records = await recordsOf(place);
  const wrong = { unanswered: [], twice: [], failed: [], paid: [], refunded: [], told: [] };
  for (const [name, { told, failing }] of load.asked) {
    const own = records.get(name) ?? [];
    const done = own.filter(failing ? hasFailed : isDone);
    const paid = own.reduce((sum, record) => sum + record.paid, 0);
    if (told !== undefined && done.length === 0) wrong.unanswered.push(name);
    if (done.length > 1) wrong.twice.push(name);
    if (!failing && own.some(hasFailed)) wrong.failed.push(name);
    if (!failing && done.length > 0 && paid !== -1) wrong.paid.push(name);
    // A run that was cancelled because its caller left is not refunded.
    const charge = own.some(({ status }) => status === 'aborted') ? -1 : 0;
    if ((failing || done.length === 0) && paid !== 0 && paid !== charge) wrong.refunded.push(name);
    if (!failing && told !== undefined && !done.some(({ answer }) => answer === told)) wrong.told.push(name);
  }
  const expectNone = (says, names) => {
    for (const name of names.slice(0, 3)) proof.note(`${name}: ${JSON.stringify(records.get(name) ?? [])}`);
    proof.expect(`${what}: ${says}`, names.length, 0);
  };
  expectNone(`of ${load.asked.size} predictions: answered and not recorded`, wrong.unanswered);
  expectNone('done twice', wrong.twice);
  expectNone('failed without a reason', wrong.failed);
  expectNone('answered otherwise than recorded', wrong.told);
  expectNone('done and not paid exactly once', wrong.paid);
  expectNone('not done and not given back', wrong.refunded);
}

export async function expectExactLedger(proof, what, place, load, credit) {
  const { drift, said } = auditLedger(place);
  if (drift !== '0') proof.note(said);
  proof.expect(`${what}: drift of the ledger`, drift, '0');
  const [sums] = await query(
    place,
    `SELECT sum(amount) AS total, sum(amount) FILTER (WHERE kind = 'top_up') AS topped,
       -sum(amount) FILTER (WHERE kind = 'charge') AS charged, COALESCE(sum(amount) FILTER (WHERE kind = 'refund'), 0) AS given,
       count(*) FILTER (WHERE kind = 'top_up') AS n FROM credit_entries`,
  );
  const balance = await numberOf(place, `SELECT balance AS n FROM credit_accounts WHERE account = 'default'`);
  proof.note(`${what}: ${sums.charged} credits charged, ${sums.given} of them given back`);
  proof.expect(`${what}: balance − sum of its entries`, balance - Number(sums.total), 0);
  proof.expect(
    `${what}: top-ups recorded − first credit and ${load.topUps} payments`,
    Number(sums.topped) - credit - load.topUps * TOP_UP,
    0,
  );
}

/** Each message saw the one before: the tallies of a chat are 1, 2, 3 … in order. */
export async function expectTurnsInOrder(proof, what, place) {
  const rows = await query(
    place,
    `SELECT chat_id, answer FROM chat_turns WHERE flow_id = 'tally' ORDER BY created_at, id`,
  );
  const seen = {};
  const wrong = rows.filter(({ chat_id: chat, answer }) => {
    seen[chat] = (seen[chat] ?? 0) + 1;
    return answer.length !== seen[chat];
  });
  for (const { chat_id: chat, answer } of wrong.slice(0, 3))
    proof.note(`${chat}: a turn with tally ${answer.length}`);
  proof.expect(
    `${what}: of ${rows.length} turns of ${Object.keys(seen).length} chats: out of turn`,
    wrong.length,
    0,
  );
  const done = await numberOf(
    place,
    `SELECT count(*) AS n FROM executions WHERE flow_id = 'tally' AND status = 'succeeded' AND replay_of IS NULL`,
  );
  proof.expect(`${what}: turns − runs that succeeded`, rows.length - done, 0);
}

/** Each stream is the model's output, in order and without repetition, as far as it was sent, and has one end. */
export function expectStreams(proof, what, load, model) {
  const faults = load.streams.map((client) => [client, faultOf(client, model.answerTo(client.question))]);
  const faulty = faults.filter(([, fault]) => fault !== undefined);
  for (const [{ question, events }, fault] of faulty.slice(0, 3))
    proof.note(`${question}: ${fault}, after ${JSON.stringify(events.slice(-2))}`);
  const parts = load.streams.filter(
    ({ tokens, question }) => tokens.length < model.answerTo(question).length,
  );
  const comings = load.streams.reduce((sum, client) => sum + client.comings, 0);
  proof.note(
    `${what}: streams came back ${comings} times; ${parts.length} of them were told a part of their tokens`,
  );
  proof.expect(
    `${what}: of ${load.streams.length} streams: with a token told twice or out of order, or with another number of ends`,
    faulty.length,
    0,
  );
}

export async function expectPhotographs(proof, what, place, service, load) {
  const rows = await query(place, 'SELECT id, sha256 FROM photographs');
  const counts = countBy(rows, (row) => row.sha256);
  const recorded = Object.values(counts).reduce((sum, n) => sum + n, 0);
  const acknowledged = tally(load.captured, counts);
  const uncertain = tally(load.uncertain, counts);
  proof.expect(`${what}: of ${load.captured.size} acknowledged photographs lost`, acknowledged.lost, 0);
  proof.expect(`${what}: recorded twice`, acknowledged.twice + uncertain.twice, 0);
  const sent = new Map(rows.map(({ id, sha256 }) => [id, sha256]));
  const others = [...load.files].filter(([id, sha256]) => sent.get(id) !== sha256);
  proof.expect(`${what}: ids of acknowledged photographs under which others are recorded`, others.length, 0);
  proof.expect(
    `${what}: files of recorded photographs that cannot be read, or are not what was sent`,
    await unreadableFiles(service, sent.keys(), sent),
    0,
  );
  const { missing, said } = await auditStorage(place);
  if (missing !== 0) proof.note(said);
  proof.expect(`${what}: files that a row names and that are not in the bucket`, missing, 0);
  for (const sessionId of SESSIONS)
    await service.request('POST', '/api/v1/pdf/render', { body: renderBody(sessionId) });
  const pending = await numberOf(place, 'SELECT count(*) AS n FROM photographs WHERE claim_id IS NULL');
  const printed = countBy(await photographsOfReports(place, service), (sha256) => sha256);
  const inTwo = Object.values(printed).filter((n) => n > 1).length;
  proof.expect(`${what}: photographs pending after a last render of each session`, pending, 0);
  proof.expect(`${what}: of ${recorded} recorded in no report`, tally(Object.keys(counts), printed).lost, 0);
  proof.expect(`${what}: photographs in two reports`, inTwo, 0);
}
