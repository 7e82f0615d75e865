/**
 * The calls of `prove:replicas` with external effects: a flow that books by POST, records a remark and confirms by PUT,
 * and the target that records its requests.
 */
import { once } from 'node:events';
import http from 'node:http';
import { query } from './place.mjs';
import { atMost, countBy } from './report.mjs';

/** The time that a process is suspended counts toward its timeout, which is longer than any suspension. */
const PATIENT = { timeoutMs: 120_000 };

/** Share of slow answers; most confirmations are slow, so that runs are interrupted after an effect. */
const SOME = 0.2;
const MANY = 0.7;

/** Booking, remark and confirmation: none of them may happen twice. */
export const effectFlow = (port) => ({
  id: 'effects',
  name: 'effects',
  nodes: [
    { id: 'start', kind: 'start' },
    { id: 'book', kind: 'http', config: { method: 'POST', url: urlOf(port), ...PATIENT } },
    { id: 'note', kind: 'capture', config: { area: 'Hall', remark: '{{question}}' } },
    { id: 'confirm', kind: 'http', config: { method: 'PUT', url: urlOf(port), ...PATIENT } },
    { id: 'reply', kind: 'reply', config: { message: '{{question}}' } },
  ],
  edges: [
    { from: 'start', to: 'book' },
    { from: 'book', to: 'note' },
    { from: 'note', to: 'confirm' },
    { from: 'confirm', to: 'reply' },
  ],
});

const urlOf = (port) => `http://127.0.0.1:${port}/{{question}}`;

/**
 * Answers after a short or a long delay, so that a kill or suspension interrupts runs. `asked` is each received POST
 * and PUT, with the question of its run.
 */
export async function startTarget(random) {
  const asked = [];
  const server = http.createServer((request, response) => {
    const { method, url, headers } = request;
    if (method !== 'GET') asked.push({ method, question: url.slice(1), key: headers['idempotency-key'] });
    const ms = random() < (method === 'PUT' ? MANY : SOME) ? 1_500 : 20;
    setTimeout(() => response.setHeader('Content-Type', 'application/json').end('{}'), ms);
  });
  // Never closes an idle connection: one of a suspended process would be gone when that wakes up.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: server.address().port, asked, close: () => server.close() };
}

/**
 * Checks the calls that were retried under their key until they reported an end: each had its effects once, one with
 * `effect_unknown` at most once.
 */
export async function expectEffectsOnce(proof, what, place, { asked }, calls) {
  const of = (wanted) =>
    countBy(
      asked.filter(({ method }) => method === wanted),
      ({ question }) => question,
    );
  const [booked, confirmed] = [of('POST'), of('PUT')];
  const rows = await query(place, `SELECT text FROM remarks WHERE flow_id = 'effects'`);
  const noted = countBy(rows, ({ text }) => text);
  const keys = new Set(asked.map(({ method, question, key }) => `${method} ${question} ${key}`));
  const keysOfCalls = countBy([...keys], (each) => each.slice(0, each.lastIndexOf(' ')));
  const over = (counts) => Object.values(counts).filter((n) => n > 1).length;
  const done = calls.filter(({ told }) => told !== undefined).map(({ question }) => question);
  const unknown = calls.filter(({ status }) => status === 500).length;
  proof.note(
    `${what}: of ${calls.length} runs with effects ${unknown} were told that one is unknown, ${over(confirmed)} confirmations came twice`,
  );
  proof.measure(`${what}: of these, told that one is unknown`, unknown, atMost(calls.length / 3));
  proof.expect(`${what}: POSTs sent twice`, over(booked), 0);
  proof.expect(`${what}: remarks recorded twice`, over(noted), 0);
  proof.expect(`${what}: requests repeated under another key`, over(keysOfCalls), 0);
  const async = calls.filter(({ accepted }) => accepted);
  const endless = async.filter(({ ended }) => ended === undefined);
  for (const { question } of endless.slice(0, 3)) proof.note(`${question}: accepted, and without an end`);
  proof.note(`${what}: runs that nobody waited for: ${JSON.stringify(countBy(async, ({ ended }) => ended))}`);
  proof.expect(`${what}: of ${async.length} of these: without an end`, endless.length, 0);
  const missing = done.filter((each) => !booked[each] || !noted[each] || !confirmed[each]);
  proof.expect(
    `${what}: of ${done.length} runs that were answered: with an effect missing`,
    missing.length,
    0,
  );
}
