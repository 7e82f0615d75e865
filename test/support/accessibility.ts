import type { AxeResults } from 'axe-core';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** The smallest form of axe: each page loads and compiles it. */
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Resolves when no transition is running any more. An inherited colour moves down the page by one element per frame,
 * each in a transition of its own: it has arrived when two checks in succession find none.
 */
const COLOURS_ARRIVED = `(async () => {
  const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const ends = (a) => a.playState === 'running' && a.effect.getComputedTiming().endTime < 1e4;
  for (let [still, looks] = [0, 0]; still < 2 && looks < 200; looks++) {
    await frames();
    const moving = document.getAnimations().filter(ends);
    still = moving.length === 0 ? still + 1 : 0;
    await Promise.allSettled(moving.map((a) => a.finished));
  }
})()`;

/** The rules of each colour scheme. Those that do not look at colours find the same in both, so they run in one. */
const RULES = {
  light: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  dark: ['color-contrast', 'link-in-text-block'],
};

/** Fails with the violations that axe finds on the current page (WCAG 2.2 AA), in light and in dark. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(COLOURS_ARRIVED);
    expect([colorScheme, ...(await violations(page, RULES[colorScheme]))]).toEqual([colorScheme]);
  }
  await page.emulateMedia({ colorScheme: null });
}

/** Injects axe through the debugger, so that the page's content policy stays as it is. */
async function violations(page: Page, rules: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE);
  const run = `axe.run(document, { runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] })`;
  const { violations: found } = await page.evaluate<AxeResults>(run);
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)}\n${failureSummary ?? ''}`),
  );
}
