/**
 * Regenerates the pictures of the README: pages of the demo's report, the chat on a phone and an execution in the
 * console. Needs Chromium and pdftoppm (Debian: `chromium-headless-shell`, `poppler-utils`). `npm run pictures`
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { ADMIN_KEY } from '../prove/support/client.mjs';
import { makePlace } from '../prove/support/place.mjs';
import { startService } from '../prove/support/service.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const pictures = join(root, 'docs', 'pictures');
const scratch = mkdtempSync(join(tmpdir(), 'pictures-'));
const GAP = 24;
const BACKGROUND = '#d9dde3';
const executablePath = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync);

try {
  await pictureReport();
  await pictureScreens();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Draws the cover, a page of rooms and a page of meters of the demo's report. */
async function pictureReport() {
  execFileSync(process.execPath, [join(root, 'scripts', 'demo.mjs')], { stdio: 'ignore' });
  const output = join(root, 'demo-output');
  const report = readdirSync(output).find((name) => name.endsWith('.pdf'));
  execFileSync('pdftoppm', ['-r', '60', '-png', join(output, report), join(scratch, 'page')]);
  const pages = readdirSync(scratch).filter((name) => name.startsWith('page'));
  const chosen = [0, 4, 2].map((index) => join(scratch, pages[index]));
  await inARow(chosen, 640, 'report-pages.webp');
}

/** Chats with the sample flow as a clerk does, then opens the record of the last call. */
async function pictureScreens() {
  const place = await makePlace('sqlite');
  const service = await startService(place, { SAMPLES: 'on' });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    await pictureChat(browser, service);
    await pictureExecution(browser, service);
  } finally {
    await browser.close();
    await service.stop();
    await place.remove();
  }
  await inARow([join(scratch, 'chat.png'), join(scratch, 'execution.png')], 640, 'screens.webp');
}

async function pictureChat(browser, service) {
  const page = await browser.newPage({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  });
  await page.goto(`${service.url}/chat/inspection-assistant`);
  const send = page.locator('.composer:not(.early)').getByRole('button', { name: 'Send', exact: true });
  const say = async (words, ...photographs) => {
    await send.waitFor();
    await page.getByRole('textbox', { name: 'Message' }).and(page.locator('#message')).fill(words);
    if (photographs.length > 0) {
      const files = photographs.map((name) => join(root, 'samples', 'photographs', `${name}.jpg`));
      await page.getByLabel('Photos', { exact: true }).setInputFiles(files);
      await page.getByText(/ ready/).waitFor();
    }
    await send.click();
    await send.waitFor();
  };
  await say('14 Acacia Avenue, Leeds LS1 4AP');
  await say('Check-in');
  await say('Skip');
  await say('Kitchen', 'kitchen-1', 'kitchen-2-sink');
  await page
    .getByRole('main')
    .getByText(/recorded 2 photographs in Kitchen/)
    .waitFor();
  await page.screenshot({ path: join(scratch, 'chat.png') });
}

async function pictureExecution(browser, service) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 844 }, deviceScaleFactor: 2 });
  await page.goto(`${service.url}/console/executions`);
  await page.getByRole('textbox', { name: 'Admin key' }).fill(ADMIN_KEY);
  await page.keyboard.press('Enter');
  const row = page.getByRole('row').filter({ hasText: 'Inspection assistant' }).first();
  await row.waitFor();
  const list = await fetch(`${service.url}/api/v1/executions?limit=1`, {
    headers: { Authorization: `Bearer ${ADMIN_KEY}` },
  });
  const { data } = await list.json();
  await page.goto(`${service.url}/console/executions/${data[0].id}`);
  await page.getByText('Inspection assistant').first().waitFor();
  await page.waitForTimeout(1_000);
  await page.screenshot({ path: join(scratch, 'execution.png') });
}

/** Puts pictures of one height side by side. */
async function inARow(paths, height, name) {
  const scaled = await Promise.all(
    paths.map((path) => sharp(path).resize({ height }).png().toBuffer({ resolveWithObject: true })),
  );
  let left = GAP;
  const composed = scaled.map(({ data, info }) => {
    const placed = { input: data, left, top: GAP };
    left += info.width + GAP;
    return placed;
  });
  const canvas = { width: left, height: height + 2 * GAP, channels: 3, background: BACKGROUND };
  await sharp({ create: canvas }).composite(composed).webp({ quality: 82 }).toFile(join(pictures, name));
  console.log(`docs/pictures/${name}: ${left} × ${height + 2 * GAP}`);
}
