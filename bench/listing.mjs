/**
 * A page of the execution log at a thousand and at a million records: its cost must not grow with the log, whatever the
 * filter. Both services run at once and are called in rotation; the records are inserted into the SQLite file before
 * they start. `node bench/listing.mjs [records] [calls per round] [rounds]`
 */
import { startService } from '../prove/support/service.mjs';
import { filledPlace } from './support/filled-place.mjs';
import { figure, median, quantile } from './support/measure.mjs';

const many = Number(process.argv[2] ?? 1_000_000);
const calls = Number(process.argv[3] ?? 100);
const rounds = Number(process.argv[4] ?? 7);
const FEW = 1_000;
const LIMIT = 25;

/** Records with a rare value in either log, from its first day to its last: only an index finds them quickly. */
const SELDOM = 40;
/** Younger than the retention time. */
const SPAN_MS = 6 * 86_400_000;

const filters = {
  'no filter': '',
  chatId: '&chatId=the-chat',
  'chatId, a telephone number': '&chatId=%2B44%207700%20900123',
  'flowId, often': '&flowId=flow-0',
  'flowId, seldom': '&flowId=flow-seldom',
  'status, often': '&status=succeeded',
  'status, seldom': '&status=aborted',
  'kind, often': '&kind=prediction',
  'kind, seldom': '&kind=render',
  'httpStatus, often': '&httpStatus=200',
  'httpStatus, seldom': '&httpStatus=499',
};

/**
 * `rows` records: 20 flows of unequal use, chats of four turns, mostly succeeded. A record depends only on its number,
 * scattered by multiplication, so that both logs are alike.
 */
const fill = (rows, now) => `
  WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${rows}),
  drawn AS (
    SELECT i, ${now - SPAN_MS} + i * ${Math.floor((SPAN_MS - 60_000) / rows)} AS at,
      ((i * 2654435761) % 4294967296 >> 16) % 100 AS fate,
      ((i * 2246822519) % 4294967296 >> 16) % 100 AS sort,
      ((i * 3266489917) % 4294967296 >> 16) % 100 AS part,
      i % ${Math.floor(rows / SELDOM)} AS lot
    FROM numbers)
  INSERT INTO executions (id, kind, flow_id, flow_name, chat_id, chat_digits, account, status, http_status, code, started_at,
    finished_at, duration_ms, credits, caller_address, question, answer)
  SELECT printf('%08x-%04x-7%03x-8%03x-%012x', at >> 16, at & 65535, i & 4095, fate, i),
    CASE WHEN lot = 3 THEN 'render' WHEN sort < 90 THEN 'prediction' ELSE 'capture' END,
    CASE WHEN lot = 1 THEN 'flow-seldom' ELSE 'flow-' || (part * part * 20 / 10000) END,
    'Flow ' || (part * part * 20 / 10000),
    CASE WHEN lot = 0 THEN 'the-chat' WHEN lot = 4 THEN 'whatsapp:+447700900123' ELSE 'chat-' || (i / 4) END,
    CASE WHEN lot = 0 THEN NULL WHEN lot = 4 THEN '700900123' ELSE printf('%09d', i / 4) END,
    'default',
    CASE WHEN lot = 2 THEN 'aborted' WHEN fate < 90 THEN 'succeeded' WHEN fate < 95 THEN 'failed'
      WHEN fate < 96 THEN 'waiting' ELSE 'rejected' END,
    CASE WHEN lot = 2 THEN 499 WHEN fate < 90 THEN 200 WHEN fate < 95 THEN 500 WHEN fate < 96 THEN 200
      ELSE 429 END,
    CASE WHEN lot <> 2 AND fate BETWEEN 90 AND 94 THEN 'flow_failed' END,
    at, at + 40 + fate * 9, 40 + fate * 9, 1, '203.0.113.' || (i % 250),
    'What does it cost to have the bumper of car number ' || i || ' repaired?',
    'For car number ' || i || ' it depends on the paint. Send photographs of the front and of both sides.'
  FROM drawn`;

async function page(service, query) {
  const startedAt = performance.now();
  const answer = await service.admin('GET', `/api/v1/executions?limit=${LIMIT}${query}`);
  const ms = performance.now() - startedAt;
  const { data, nextCursor } = answer.json;
  if (data?.length !== LIMIT)
    throw new Error(`${query || 'no filter'}: not a full page: ${answer.text.slice(0, 200)}`);
  return { ms, nextCursor };
}

/** Returns the cursor of the middle: the second page begins at a record from the middle of the time span. */
async function middle(service) {
  const to = new Date(Date.now() - SPAN_MS / 2).toISOString();
  return (await page(service, `&to=${to}`)).nextCursor;
}

async function p95s(services, queryOf) {
  const found = services.map(() => []);
  for (let round = 0; round < rounds; round++) {
    const times = services.map(() => []);
    for (let call = 0; call < calls; call++) {
      const turns = call % 2 ? [0, 1] : [1, 0];
      for (const which of turns) times[which].push((await page(services[which], queryOf(which))).ms);
    }
    times.forEach((values, which) => found[which].push(quantile(values, 0.95)));
  }
  return found;
}

async function compare(services, what, queryOf) {
  const [few, most] = await p95s(services, queryOf);
  const ratio = median(most.map((value, round) => value / few[round]));
  figure(`${what}: p95 at ${FEW}`, median(few), ' ms');
  figure(`${what}: p95 at ${many}`, median(most), ' ms');
  figure(`${what}: times as long`, ratio, ' ×', ['<=', 1.5]);
}

const places = [];
const services = [];
try {
  for (const rows of [FEW, many]) {
    places.push(await filledPlace(rows, fill(rows, Date.now())));
    services.push(await startService(places.at(-1)));
  }
  console.log('\n# Listing, sqlite');
  for (let call = 0; call < 100; call++) for (const service of services) await page(service, '');
  for (const [what, query] of Object.entries(filters)) await compare(services, what, () => query);
  const cursors = [await middle(services[0]), await middle(services[1])];
  await compare(services, 'half way down', (which) => `&cursor=${cursors[which]}`);
} finally {
  await Promise.all(services.map((service) => service.stop()));
  await Promise.all(places.map((place) => place.remove()));
}
