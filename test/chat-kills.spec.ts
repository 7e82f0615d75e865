import type { Page } from 'playwright-core';
import { PHONE, watched } from './support/browser.js';
import { ATTACHMENTS, inspection, pictures, recordedNames } from './support/chat-inspection.js';
import { ChatPage, published } from './support/chat-page.js';
import { eventually } from './support/eventually.js';
import { describeInBrowser, pageFixture } from './support/page-fixture.js';

const PHOTOGRAPHS = 30;
const KILLS = 10;
/** Photographs chosen between two kills: enough that kills interrupt both choosing and sending. */
const AT_ONCE = 5;
const LONGEST_MS = 500;
const SLOW_UPLOAD_MS = 60;

/** Reports every photograph shown as stored as soon as it is shown, since a killed tab can no longer be queried. */
const WATCH = `addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
  for (const { title } of [...document.querySelectorAll('.tray li')].filter((tile) => tile.querySelector('.saved')))
    shownAsKept(title);
}).observe(document, { childList: true, subtree: true }));`;

/** Pseudo-random numbers from 0 to 1 (a linear congruential generator). */
function chance(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Kills the process of the tab without letting it clean up. */
async function kill(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  session.send('Page.crash').catch(() => undefined);
  await crashed;
  await page.close();
}

describeInBrowser('photographs of a killed tab', () => {
  const fixture = pageFixture();
  const { client } = fixture;

  it.each([1, 2])(
    'are neither lost nor duplicated once they were shown as stored (seed %s)',
    async (seed) => {
      const random = chance(seed);
      const flow = await client.flow(inspection(published));
      const stored = new Set<string>();
      const chat = await ChatPage.visit(fixture.browser, PHONE);
      const { context } = chat;
      await context.exposeFunction('shownAsKept', (name: string) => void stored.add(name));
      await context.addInitScript({ content: WATCH });
      await context.route(ATTACHMENTS, async (route) => {
        await pause(SLOW_UPLOAD_MS);
        await route.continue().catch(() => undefined);
      });
      const names = Array.from({ length: PHOTOGRAPHS }, (_, index) => `${index}.jpg`);
      const again = async (): Promise<ChatPage> => {
        const next = Object.assign(Object.create(chat) as ChatPage, { page: await context.newPage() });
        next.faults.push(...watched(next.page));
        await next.open(flow, fixture.service.url);
        return next;
      };
      await chat.page.close();
      for (let killed = 0; killed < KILLS; killed++) {
        const { page } = await again();
        const some = names.splice(0, AT_ONCE);
        if (some.length > 0)
          await page.getByLabel('Photos', { exact: true }).setInputFiles(pictures(...some));
        await pause(random() * LONGEST_MS);
        await kill(page);
      }
      const { page } = await again();
      await finish(page, random);
      const recorded = await recordedNames(Object.assign(Object.create(chat) as ChatPage, { page }), client);
      expect(stored.size).toBeGreaterThan(PHOTOGRAPHS / 2);
      expect([...stored].filter((name) => !recorded.includes(name))).toEqual([]);
      expect(recorded).toEqual([...new Set(recorded)]);
      await context.close();
    },
  );
});

/** Sends the message as often as parts of an interrupted one come back. */
async function finish(page: Page, random: () => number): Promise<void> {
  const ready = page.getByText(/^\d+ photos? ready/);
  await ready.waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await pause(random() * LONGEST_MS);
  await page.reload();
  const answer = page.getByRole('article', { name: 'Answer' });
  const again = page.getByRole('button', { name: /^(Send again|Try again)$/ });
  const send = page.getByRole('button', { name: 'Send', exact: true });
  await eventually(async () => {
    if (await answer.getByText('0 rejected').last().isVisible()) return true;
    if (await again.isVisible()) await again.click({ timeout: 2_000 }).catch(() => undefined);
    else if ((await ready.isVisible()) && (await send.isEnabled()))
      await send.click({ timeout: 2_000 }).catch(() => undefined);
    return false;
  }, 45_000);
}
