import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

export const DESK = { viewport: { width: 1440, height: 900 } };
export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
export const SMALL_PHONE = { ...PHONE, viewport: { width: 320, height: 568 } };

/** Time limit for anything that a page should show: long enough for a busy machine. */
const PATIENCE_MS = 45_000;

/** The headless shell comes first: it takes a third less CPU for the same pages. */
const CHROMIUMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const executablePath = CHROMIUMS.find((path) => existsSync(path));

/** Returns true if a browser is installed; throws without one under REQUIRE_SERVICES=1. */
export function browserExists(): boolean {
  if (executablePath !== undefined) return true;
  const missing = `There is no Chromium at ${CHROMIUMS.join(' or ')}`;
  if (process.env['REQUIRE_SERVICES'] === '1') throw new Error(`${missing}, and REQUIRE_SERVICES=1`);
  process.stderr.write(`SKIPPED: ${missing}\n`);
  return false;
}

/** Software rendering, without the GPU process: no machine here has one. */
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-software-rasterizer'];

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ ...(executablePath === undefined ? {} : { executablePath }), args: ARGUMENTS });

/**
 * Sets the time limits of a page. Returns the list of its script errors and content policy violations, which must stay
 * empty.
 */
export function watched(page: Page): string[] {
  const faults: string[] = [];
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted/.test(message.text())) faults.push(message.text());
  });
  return faults;
}

/**
 * Waits until an expression holds in the page. (`waitForFunction` would evaluate it inside the page, against its
 * policy.)
 */
export async function holds(page: Page, expression: string): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (Date.now() < end) {
    if (await page.evaluate<boolean>(`Boolean(${expression})`)) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`never in the page: ${expression}`);
}
