/**
 * The effect of drawing on other calls: p99 of predictions while a report of 200 photographs is drawn, and of a no-op
 * call while one of 1,000 is, on one connection, against p99 while nothing is drawn, interleaved. `node
 * bench/while-rendering.mjs [rounds at 200] [rounds at 1,000]`
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makePlace } from '../prove/support/place.mjs';
import { replyFlow, startService } from '../prove/support/service.mjs';
import { figure, p99, timedPost } from './support/measure.mjs';

const ROUNDS = Number(process.argv[2] ?? 12);
const LARGE_ROUNDS = Number(process.argv[3] ?? 3);
const BATCH = 50;
const samples = fileURLToPath(new URL('../samples/photographs', import.meta.url));
const photographs = readdirSync(samples).map((name) => readFileSync(join(samples, name)));

const place = await makePlace('sqlite');
const service = await startService(place, {
  INITIAL_CREDIT: '1000000000',
  RENDERS_PER_MINUTE: '1000',
  UV_THREADPOOL_SIZE: undefined,
});
const predict = () => timedPost(`${service.url}/api/v1/prediction/bench-reply`, { question: 'Hello' });

async function nothing() {
  const startedAt = performance.now();
  await service.request('GET', '/health/live');
  return performance.now() - startedAt;
}

try {
  await service.createFlow(replyFlow('bench-reply'));
  const small = await measure('predictions', 200, ROUNDS, predict);
  figure('ratio', small.busy / small.idle, ' ×', ['<=', 2]);
  const large = await measure('a call that does nothing', 1000, LARGE_ROUNDS, nothing);
  figure('difference', large.busy - large.idle, ' ms', ['<=', 5]);
} finally {
  await service.stop();
  await place.remove();
}

/** Returns p99 of `call` in ms, while a report of this many photographs is drawn and while nothing is. */
async function measure(what, count, rounds, call) {
  const report = await reportOf(count);
  const redraw = async () => {
    const answer = await service.admin('POST', `/api/v1/pdf/reports/${report}/redraw`);
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  };
  await callUntil(call, pause(1500));
  await redraw();
  const [idle, busy, took] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    busy.push(...(await callUntil(call, redraw())));
    took.push(performance.now() - startedAt);
    idle.push(...(await callUntil(call, pause(took.at(-1)))));
  }
  console.log(`\n# ${what}, while ${count} photographs are drawn, sqlite`);
  figure('drawing took (mean)', took.reduce((sum, each) => sum + each, 0) / rounds, ' ms');
  figure('calls measured while drawing', busy.length);
  figure('p99 when nothing is drawn', p99(idle), ' ms');
  figure('p99 while drawing', p99(busy), ' ms');
  return { idle: p99(idle), busy: p99(busy) };
}

/** Captures this many photographs and renders them once; returns the id of the report. */
async function reportOf(count) {
  const sessionId = `session-${count}`;
  for (let batch = 0; batch < count / BATCH; batch++) await capture(sessionId, batch);
  const meta = { address: '1 Bench Street', reportType: 'interim' };
  const rendered = await service.request('POST', '/api/v1/pdf/render', {
    body: { templateId: 'inspection', source: { type: 'inspection', sessionId, meta } },
  });
  if (rendered.status !== 200) throw new Error(`${rendered.status}: ${rendered.text}`);
  const { file } = rendered.json;
  if (file.photographs !== count) throw new Error(`${file.photographs} photographs in the report`);
  return file.id;
}

async function capture(sessionId, batch) {
  const body = {
    flowId: 'bench-reply',
    sessionId,
    area: `Room ${batch + 1}`,
    photographs: Array.from({ length: BATCH }, (_, index) => ({
      data: photographs[(batch * BATCH + index) % photographs.length].toString('base64'),
      mime: 'image/jpeg',
    })),
  };
  const answer = await service.request('POST', '/api/v1/inspection/capture', { body });
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
}

/** Makes one call after another, with a short pause between, until `done` settles. */
async function callUntil(call, done) {
  let over = false;
  const ended = done.finally(() => (over = true));
  const times = [];
  while (!over) {
    times.push(await call());
    await pause(2);
  }
  await ended;
  return times;
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
