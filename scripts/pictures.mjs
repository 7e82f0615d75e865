/**
 * Regenerates the pictures of the README and docs/reports.md: pages of the demo's report and of a comparison, the chat on a
 * phone and an execution in the console. Needs Chromium and pdftoppm (Debian: `chromium-headless-shell`, `poppler-utils`). `npm
 * run pictures`
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
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
  await pictureComparison();
  await pictureScreens();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Draws pages of the demo's report: the cover and what stands before the areas, then meters and rooms. */
async function pictureReport() {
  execFileSync(process.execPath, [join(root, 'scripts', 'demo.mjs')], { stdio: 'ignore' });
  const output = join(root, 'demo-output');
  const report = pagesOf(join(output, newestIn(output)), 'report');
  await inARow(
    [report[0], report.with(/^At a glance/m), report.with(/^Kitchen\s+\d photographs/m)],
    640,
    'report-pages.webp',
  );
  const meters = report.with(/^Gas Meter\s+1 photograph/m);
  await inARow(
    [report.with(/^Points to Note/m), meters, report.with(/^Bedroom 1\s+\d photographs/m)],
    640,
    'report-areas.webp',
  );
}

/** Draws the first pages of the comparison of two inspections in dispute, which a test makes. */
async function pictureComparison() {
  const test = ['--selectProjects', 'e2e', '--runTestsByPath', 'test/comparison-disputes.spec.ts'];
  execFileSync(process.execPath, [join(root, 'node_modules', 'jest', 'bin', 'jest.js'), ...test], {
    ...{ cwd: root, stdio: 'ignore', env: { ...process.env, KEEP_REPORTS: scratch } },
  });
  const [, ...comparison] = pagesOf(join(scratch, 'disputes.pdf'), 'comparison');
  await inARow(comparison.slice(0, 3), 640, 'comparison-pages.webp');
}

function newestIn(folder) {
  const age = (name) => -statSync(join(folder, name)).mtimeMs;
  return readdirSync(folder)
    .filter((name) => name.endsWith('.pdf'))
    .sort((one, other) => age(one) - age(other))[0];
}

/** Draws the pages of a file; `with` returns that of the first page whose text matches. */
function pagesOf(file, name) {
  execFileSync('pdftoppm', ['-r', '80', '-png', file, join(scratch, name)]);
  const pages = readdirSync(scratch)
    .filter((each) => each.startsWith(`${name}-`) && each.endsWith('.png'))
    .sort()
    .map((each) => join(scratch, each));
  const texts = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' }).split('\f');
  // The contents name every section.
  const found = (words) => texts.findIndex((text, page) => page > 0 && words.test(text));
  return Object.assign(pages, { with: (words) => pages[found(words)] });
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
