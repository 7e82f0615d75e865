/**
 * The list of executions in a browser, with a thousand and with a hundred thousand of them read to the end: the cost of
 * a scrolled screen must not grow with the list. Both are open at once and are scrolled in rotation. Skipped without
 * Chromium. `node bench/scrolling.mjs [executions] [rounds]`
 */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { ADMIN_KEY, startService } from '../prove/support/service.mjs';
import { filledPlace } from './support/filled-place.mjs';
import { figure, median, quantile } from './support/measure.mjs';

const CHROMIUM = '/usr/bin/chromium';
const FEW = 1_000;
const many = Number(process.argv[2] ?? 100_000);
const rounds = Number(process.argv[3] ?? 12);
/** Through a list of a thousand and back, a screen in two frames. */
const FRAMES = 200;
const STEP_PX = 400;

/** Returns the rows of a flow's calls, one per second until a moment ago. */
const callsOf = (flow, rows, now) => `
  WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${rows})
  INSERT INTO executions (id, kind, flow_id, flow_name, chat_id, account, status, http_status, started_at,
    finished_at, duration_ms, credits, caller_address, question, answer)
  SELECT printf('%08x-%04x-7%03x-8${flow === 'few' ? 0 : 1}00-%012x', at >> 16, at & 65535, i & 4095, i),
    'prediction', '${flow}', 'Flow of ${flow}', 'chat-' || i, 'default', 'succeeded', 200, at, at + 900, 900, 1,
    '203.0.113.7', 'What does it cost to have car number ' || i || ' repaired?', 'That depends on the paint.'
  FROM (SELECT i, ${now} - i * 1000 AS at FROM numbers)`;

/** Opens a page with the whole list; returns it with the meter of its main thread. */
async function opened(browser, service, flow, rows) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(
    `sessionStorage.setItem('console:admin-key', ${JSON.stringify(JSON.stringify(ADMIN_KEY))})`,
  );
  await page.goto(`${service.url}/console/executions?flowId=${flow}`);
  await page.getByRole('row').first().waitFor({ timeout: 60_000 });
  const foot = page.locator('.executions-foot');
  const all = `${rows.toLocaleString('en-GB')} executions, that is all.`;
  while ((await foot.innerText()) !== all) {
    await page.evaluate(`document.getElementById('content').scrollBy(0, 1e9)`);
    await page.waitForTimeout(20);
  }
  const meter = await context.newCDPSession(page);
  await meter.send('Performance.enable');
  return { page, meter };
}

/** Returns the busy milliseconds of a page's main thread so far. */
async function busyMs({ meter }) {
  const { metrics } = await meter.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration').value * 1_000;
}

/** Scrolls from the middle of the list down and back up; returns the time of each frame and their mean cost. */
async function scrolled(list) {
  await list.page.bringToFront();
  await list.page.evaluate(`{
    const outer = document.getElementById('content');
    outer.scrollTo(0, outer.scrollHeight / 2);
  }`);
  await list.page.waitForTimeout(200);
  const before = await busyMs(list);
  const frames = await list.page.evaluate(`new Promise((done) => {
    const [times, outer] = [[], document.getElementById('content')];
    const step = (at) => {
      times.push(at);
      outer.scrollBy(0, times.length <= ${FRAMES / 2} ? ${STEP_PX} : -${STEP_PX});
      if (times.length <= ${FRAMES}) requestAnimationFrame(step);
      else done(times.slice(1).map((time, index) => time - times[index]));
    };
    requestAnimationFrame(step);
  })`);
  return { frames, work: ((await busyMs(list)) - before) / FRAMES };
}

async function measure() {
  const now = Date.now() - 60_000;
  const place = await filledPlace(FEW + many, `${callsOf('few', FEW, now)}; ${callsOf('many', many, now)}`);
  const service = await startService(place);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const lists = [await opened(browser, service, 'few', FEW), await opened(browser, service, 'many', many)];
    for (const list of lists) await scrolled(list);
    const seen = lists.map(() => []);
    for (let round = 0; round < rounds; round++)
      for (const which of round % 2 ? [0, 1] : [1, 0]) seen[which].push(await scrolled(lists[which]));
    report(seen);
  } finally {
    await browser.close();
    await service.stop();
    await place.remove();
  }
}

function report([few, most]) {
  const ratio = (of) => median(most.map((round, index) => of(round) / of(few[index])));
  const p90 = ({ frames }) => quantile(frames, 0.9);
  const work = (round) => round.work;
  console.log('\n# Scrolling through executions in Chromium');
  figure(`p90 of a frame at ${FEW}`, median(few.map(p90)), ' ms');
  figure(`p90 of a frame at ${many}`, median(most.map(p90)), ' ms');
  figure('frames: times as long', ratio(p90), ' ×', ['<=', 1.5]);
  figure(`work of a frame at ${FEW}`, median(few.map(work)), ' ms');
  figure(`work of a frame at ${many}`, median(most.map(work)), ' ms');
  figure('work: times as much', ratio(work), ' ×', ['<=', 1.5]);
}

if (existsSync(CHROMIUM)) await measure();
else console.log(`\n# Scrolling through executions: skipped, Chromium is not at ${CHROMIUM}`);
