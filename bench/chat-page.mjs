/**
 * Time from the tap on a link to a chat page whose composer accepts a message, on a phone without a cache: 1.6 Mbit/s,
 * 150 ms round trip, a CPU four times slower. Skipped without Chromium. `node bench/chat-page.mjs [rounds]`
 */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { makePlace } from '../prove/support/place.mjs';
import { startService } from '../prove/support/service.mjs';
import { figure, median } from './support/measure.mjs';

const CHROMIUMS = ['/usr/bin/chromium', '/usr/bin/chromium-headless-shell'];
const executablePath = CHROMIUMS.find((path) => existsSync(path));
const rounds = Number(process.argv[2] ?? 7);
const BYTES_PER_SECOND = 1_600_000 / 8;
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/**
 * Records by the page's own clock when a field that accepts text is drawn (its text survives the arrival of the
 * script), when the script has arrived and can send it, and the bytes loaded until then.
 */
const NOTING = `{
  const takes = (field) => field && !field.readOnly && !field.disabled && field.getClientRects().length > 0;
  let words;
  const look = () => {
    const field = document.getElementById('message');
    if (takes(field ?? document.getElementById('early-message'))) words ??= performance.now();
    if (!takes(field)) return requestAnimationFrame(look);
    const loads = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    const bytes = loads.reduce((sum, load) => sum + load.transferSize, 0);
    globalThis.usable = { words, sends: performance.now(), bytes };
  };
  requestAnimationFrame(look);
}`;

/** Makes one visit with an empty cache. */
async function visit(browser, url) {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const device = await context.newCDPSession(page);
  await device.send('Network.enable');
  const network = { offline: false, latency: 150, downloadThroughput: BYTES_PER_SECOND };
  await device.send('Network.emulateNetworkConditions', { ...network, uploadThroughput: BYTES_PER_SECOND });
  await device.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.addInitScript(NOTING);
  await page.goto(`${url}/chat/inspection-assistant`, { waitUntil: 'commit' });
  await page.locator('#message').waitFor();
  let usable;
  while (!usable) usable = await page.evaluate('globalThis.usable');
  await page.locator('#message').fill('Hello');
  await context.close();
  return usable;
}

async function measure() {
  const place = await makePlace('sqlite');
  const service = await startService(place, { SAMPLES: 'on' });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const visits = [];
    for (let round = 0; round < rounds; round++) visits.push(await visit(browser, service.url));
    const words = visits.map((visit) => visit.words);
    const sends = visits.map((visit) => visit.sends);
    console.log('\n# The chat page on a telephone with 1.6 Mbit/s, 150 ms and a fourth of this processor');
    figure('first visit, until the composer takes words (median)', median(words), ' ms', ['<=', 900]);
    figure('the slowest', Math.max(...words), ' ms');
    figure('until it sends them (median)', median(sends), ' ms', ['<=', 1500]);
    figure('the fastest', Math.min(...sends), ' ms');
    figure('loaded until then (median)', median(visits.map(({ bytes }) => bytes)) / 1_000, ' kB');
  } finally {
    await browser.close();
    await service.stop();
    await place.remove();
  }
}

if (executablePath) await measure();
else console.log(`\n# The chat page: skipped, Chromium is not at ${CHROMIUMS.join(' or ')}`);
