/**
 * The flow editor in Chromium: a node dragged in a flow of 500 nodes, a flow of 100 nodes opened on a computer of half the
 * speed with 10 Mbit/s and a round trip of 40 ms, and its draft saved. Skipped without Chromium.
 * `node bench/canvas.mjs [rounds]`
 */
import { existsSync } from 'node:fs';
import { loadavg } from 'node:os';
import { chromium } from 'playwright-core';
import { makePlace } from '../prove/support/place.mjs';
import { ADMIN_KEY, startService } from '../prove/support/service.mjs';
import { figure, median, quantile } from './support/measure.mjs';

const CHROMIUMS = ['/usr/bin/chromium', '/usr/bin/chromium-headless-shell'];
const executablePath = CHROMIUMS.find((path) => existsSync(path));
const rounds = Number(process.argv[2] ?? 7);
const FRAMES = 60;
const BYTES_PER_SECOND = 10_000_000 / 8;

/** Returns a flow of replies in rows of 25, each connected to the next. */
function flowOf(id, count) {
  const nodes = Array.from({ length: count }, (_, index) => ({
    ...(index === 0 ? { id: 'start', kind: 'start' } : { id: `n${index}`, kind: 'reply' }),
    ...(index > 0 && { config: { message: `Node ${index} says {{question}}` } }),
    position: { x: (index % 25) * 260, y: Math.floor(index / 25) * 100 },
  }));
  const edges = nodes.slice(1).map((node, index) => ({ from: nodes[index].id, to: node.id }));
  return { id, name: `Flow ${id}`, nodes, edges };
}

async function opened(browser, service, path, prepare = () => undefined) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const device = await context.newCDPSession(page);
  await page.addInitScript(
    `sessionStorage.setItem('console:admin-key', ${JSON.stringify(JSON.stringify(ADMIN_KEY))})`,
  );
  await prepare(device, page);
  await page.goto(`${service.url}${path}`, { waitUntil: 'commit' });
  return { page, device, close: () => context.close() };
}

/** Returns the milliseconds that a page has spent on script, style and layout so far, and on all tasks. */
async function spent(device) {
  const { metrics } = await device.send('Performance.getMetrics');
  const of = (name) => metrics.find((each) => each.name === name).value * 1_000;
  return {
    work: of('ScriptDuration') + of('LayoutDuration') + of('RecalcStyleDuration'),
    all: of('TaskDuration'),
  };
}

/** Drags a node in the middle of a flow to and fro; returns the work of each frame. */
async function dragged(browser, service) {
  const { page, device, close } = await opened(browser, service, '/console/flows/wide?node=n210');
  await page.getByText('No faults.').waitFor();
  await device.send('Performance.enable', { timeDomain: 'threadTicks' });
  const { x, y, width, height } = await page.locator('[data-id="n210"]').boundingBox();
  const [left, top] = [x + width / 2, y + height / 2];
  await page.mouse.move(left, top);
  await page.mouse.down();
  await page.mouse.move(left + 10, top + 10, { steps: 4 });
  const frames = [];
  for (let frame = 1; frame <= FRAMES; frame++) {
    const before = await spent(device);
    await page.mouse.move(left + 10 + 2 * (frame % 40), top + 10 + (frame % 40));
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    const after = await spent(device);
    frames.push({ work: after.work - before.work, all: after.all - before.all });
  }
  await page.mouse.up();
  await close();
  return frames;
}

/** Records by the page's own clock when all nodes of the canvas are drawn, and the bytes loaded until then. */
const noting = (count) => `{
  const look = () => {
    if (document.querySelectorAll('.react-flow__node').length < ${count}) return requestAnimationFrame(look);
    const loads = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    const bytes = loads.reduce((sum, load) => sum + load.transferSize, 0);
    requestAnimationFrame(() => (globalThis.drawn = { at: performance.now(), bytes }));
  };
  requestAnimationFrame(look);
}`;

/** Opens a flow of 100 nodes by its address, with an empty cache and once more. */
async function visited(browser, service) {
  const { page, close } = await opened(browser, service, '/console/flows/hundred', async (device, page) => {
    await slowed(device);
    await page.addInitScript(noting(100));
  });
  const drawn = async () => {
    for (;;) {
      const found = await page.evaluate('globalThis.drawn');
      if (found) return found;
      await page.waitForTimeout(20);
    }
  };
  const first = await drawn();
  await page.waitForLoadState('networkidle');
  await page.reload({ waitUntil: 'commit' });
  const second = await drawn();
  await close();
  return { ...first, again: second.at };
}

/** Opens a flow of 100 nodes from the list of flows, then saves a changed draft at full speed. */
async function clickedAndSaved(browser, service) {
  const { page, device, close } = await opened(browser, service, '/console/flows', slowed);
  await page.getByRole('link', { name: 'Flow hundred' }).waitFor();
  await page.waitForLoadState('networkidle');
  const clicked = await page.evaluate(`new Promise((done) => {
    const begun = performance.now();
    const look = () => document.querySelectorAll('.react-flow__node').length < 100
      ? requestAnimationFrame(look)
      : requestAnimationFrame(() => done(performance.now() - begun));
    [...document.querySelectorAll('a')].find(({ textContent }) => textContent === 'Flow hundred').click();
    look();
  })`);
  await device.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await device.send('Network.emulateNetworkConditions', {
    ...NETWORK,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  const saved = [];
  for (let round = 0; round < 5; round++) {
    await page.locator('[data-id="n40"]').click();
    await page.keyboard.press('ArrowRight');
    await page.getByText('No faults.').waitFor();
    await page.waitForTimeout(500);
    saved.push(
      await page.evaluate(`new Promise((done) => {
        const begun = performance.now();
        const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Save');
        const look = () => button.disabled ? done(performance.now() - begun) : requestAnimationFrame(look);
        button.click();
        requestAnimationFrame(look);
      })`),
    );
  }
  await close();
  return { clicked, saved: median(saved) };
}

const NETWORK = {
  offline: false,
  latency: 40,
  downloadThroughput: BYTES_PER_SECOND,
  uploadThroughput: BYTES_PER_SECOND,
};

async function slowed(device) {
  await device.send('Network.enable');
  await device.send('Network.emulateNetworkConditions', NETWORK);
  await device.send('Emulation.setCPUThrottlingRate', { rate: 2 });
}

async function measure() {
  const place = await makePlace('sqlite');
  const service = await startService(place);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    for (const flow of [flowOf('wide', 500), flowOf('hundred', 100)])
      await service.admin('POST', '/api/v1/flows', flow);
    const [frames, visits, clicks] = [[], [], []];
    for (let round = 0; round < rounds; round++) {
      frames.push(...(await dragged(browser, service)));
      visits.push(await visited(browser, service));
      clicks.push(await clickedAndSaved(browser, service));
    }
    report(frames, visits, clicks);
  } finally {
    await browser.close();
    await service.stop();
    await place.remove();
  }
}

function report(frames, visits, clicks) {
  const work = frames.map((frame) => frame.work);
  console.log('\n# The flow editor in Chromium');
  figure('load of the machine', loadavg()[0]);
  figure('dragging in 500 nodes: script, style and layout of a frame (median)', median(work), ' ms', [
    '<=',
    8,
  ]);
  figure('the same, p95', quantile(work, 0.95), ' ms');
  figure('all tasks of a frame (median)', median(frames.map(({ all }) => all)), ' ms');
  figure('opening 100 nodes by address, empty cache (median)', median(visits.map(({ at }) => at)), ' ms', [
    '<=',
    1000,
  ]);
  figure('loaded until then', median(visits.map(({ bytes }) => bytes)) / 1_000, ' kB');
  figure('the same once more (median)', median(visits.map(({ again }) => again)), ' ms');
  figure('opening 100 nodes from the list (median)', median(clicks.map(({ clicked }) => clicked)), ' ms', [
    '<=',
    1000,
  ]);
  figure('saving its draft (median)', median(clicks.map(({ saved }) => saved)), ' ms', ['<=', 100]);
}

if (executablePath) await measure();
else console.log(`\n# The flow editor: skipped, Chromium is not at ${CHROMIUMS.join(' or ')}`);
