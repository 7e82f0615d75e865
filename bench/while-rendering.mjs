/**
 * p99 of predictions on one connection while a report of 200 photographs is drawn, against p99 when nothing is drawn,
 * turn by turn. `node bench/while-rendering.mjs [rounds]`
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makePlace } from '../prove/support/place.mjs';
import { replyFlow, startService } from '../prove/support/service.mjs';
import { figure, p99, timedPost } from './support/measure.mjs';

const ROUNDS = Number(process.argv[2] ?? 12);
const PHOTOGRAPHS = 200;
const samples = fileURLToPath(new URL('../samples/photographs', import.meta.url));
const photographs = readdirSync(samples).map((name) => readFileSync(join(samples, name)));

const place = await makePlace('sqlite');
const service = await startService(place, {
  INITIAL_CREDIT: '1000000000',
  RENDERS_PER_MINUTE: '1000',
  UV_THREADPOOL_SIZE: undefined,
});
try {
  await service.createFlow(replyFlow('bench-reply'));
  for (let batch = 0; batch < PHOTOGRAPHS / 50; batch++) await capture('session', batch);
  const rendered = await service.request('POST', '/api/v1/pdf/render', {
    body: {
      templateId: 'inspection',
      source: {
        type: 'inspection',
        sessionId: 'session',
        meta: { address: '1 Bench Street', reportType: 'interim' },
      },
    },
  });
  if (rendered.status !== 200) throw new Error(`${rendered.status}: ${rendered.text}`);
  const { file } = rendered.json;
  if (file.photographs !== PHOTOGRAPHS) throw new Error(`${file.photographs} photographs in the report`);
  const redraw = async () => {
    const answer = await service.admin('POST', `/api/v1/pdf/reports/${file.id}/redraw`);
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  };
  await predictUntil(new Promise((resolve) => setTimeout(resolve, 1500)));
  await redraw();
  const [idle, busy, took] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now();
    busy.push(...(await predictUntil(redraw())));
    took.push(performance.now() - startedAt);
    idle.push(...(await predictUntil(new Promise((resolve) => setTimeout(resolve, took.at(-1))))));
  }
  console.log(`\n# Predictions while ${PHOTOGRAPHS} photographs are drawn, sqlite`);
  figure('drawing took (mean)', took.reduce((sum, each) => sum + each, 0) / ROUNDS, ' ms');
  figure('predictions measured while drawing', busy.length);
  figure('p99 when nothing is drawn', p99(idle), ' ms');
  figure('p99 while drawing', p99(busy), ' ms');
  figure('ratio', p99(busy) / p99(idle), ' ×', ['<=', 2]);
} finally {
  await service.stop();
  await place.remove();
}

async function capture(sessionId, batch) {
  const body = {
    flowId: 'bench-reply',
    sessionId,
    area: `Room ${batch + 1}`,
    photographs: Array.from({ length: 50 }, (_, index) => ({
      data: photographs[(batch * 50 + index) % photographs.length].toString('base64'),
      mime: 'image/jpeg',
    })),
  };
  const answer = await service.request('POST', '/api/v1/inspection/capture', { body });
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
}

/** One prediction after another, with a breath between, until `done` settles. */
async function predictUntil(done) {
  let over = false;
  const ended = done.finally(() => (over = true));
  const times = [];
  while (!over) {
    times.push(await timedPost(`${service.url}/api/v1/prediction/bench-reply`, { question: 'Hello' }));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await ended;
  return times;
}
