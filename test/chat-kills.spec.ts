import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { PHONE, watched } from './support/browser.js';
import { ATTACHMENTS, inspection, pictures, recordedNames } from './support/chat-inspection.js';
import { ChatPage, published } from './support/chat-page.js';
import { eventually } from './support/eventually.js';
import { expectSoon } from './support/expect-soon.js';
import { describeInBrowser, pageFixture } from './support/page-fixture.js';
import { samplePhotograph } from './support/sample-photographs.js';

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

/** Keeps the second transaction that stores bytes open. */
const STALL = `{
  const { transaction } = IDBDatabase.prototype;
  let writes = 0;
  IDBDatabase.prototype.transaction = function (stores, ...more) {
    const opened = transaction.call(this, stores, ...more);
    if (![stores].flat().includes('files') || writes++ === 0) return opened;
    const spin = () => (opened.objectStore('files').get('none').onsuccess = spin);
    spin();
    return opened;
  };
}`;

/** The number of records that the device has of photographs, and of names to show after a reload. */
const LEFT = `new Promise((resolve, reject) => {
  const names = Object.keys(localStorage).filter((key) => /\\b(?:tray|lost)$/.test(key));
  const opening = indexedDB.open('chat-photographs');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const counting = opening.result.transaction('photographs').objectStore('photographs').count();
    counting.onsuccess = () => (opening.result.close(), resolve(counting.result + names.length));
  };
})`;

/** Kills in the middle of one choice: the full tier asks for more. */
const CHOICES_KILLED = Number(process.env['CHAT_KILLS'] ?? 4);
const LONGEST_CHOICE_MS = 800;

describeInBrowser('a choice of thirty photographs in a killed tab', () => {
  const fixture = pageFixture();
  const names = Array.from({ length: PHOTOGRAPHS }, (_, index) => `IMG_${index}.jpg`);
  let folder: string;
  let files: string[];

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'chosen-'));
    const jpeg = readFileSync(samplePhotograph('keys'));
    for (const name of names)
      writeFileSync(join(folder, name), Buffer.concat([jpeg, Buffer.alloc(1_500_000, name)]));
    files = names.map((name) => join(folder, name));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it(
    `loses none that was shown as stored, and names all others, after each of ${CHOICES_KILLED} kills`,
    async () => {
      const random = chance(7);
      const flow = await fixture.client.flow(inspection(published));
      const stored = new Set<string>();
      const chat = await ChatPage.visit(fixture.browser, PHONE);
      await chat.context.exposeFunction('shownAsKept', (name: string) => void stored.add(name));
      await chat.context.addInitScript({ content: WATCH });
      await chat.context.route(ATTACHMENTS, () => undefined);
      const open = async (): Promise<Page> => {
        const page = await chat.context.newPage();
        chat.faults.push(...watched(page));
        await page.goto(`${fixture.service.url}/chat/${flow}`);
        await page.locator('#message').waitFor();
        return page;
      };
      /** Returns the names shown as stored and as lost, once the page has looked. */
      const accounted = async (page: Page) => {
        let here = { stored: [] as string[], lost: [] as string[] };
        await eventually(async () => {
          here = await page.evaluate(`({
          stored: [...document.querySelectorAll('.tray li')].filter((tile) => tile.querySelector('.saved')).map(({ title }) => title),
          lost: document.querySelector('.lost')?.textContent.match(/IMG_\\d+\\.jpg/g) ?? [],
        })`);
          return here.stored.length + here.lost.length >= names.length;
        }, 20_000);
        return here;
      };
      await chat.page.close();
      let lost = 0;
      let choosing = await open();
      for (let killed = 0; killed < CHOICES_KILLED; killed++) {
        stored.clear();
        // In the first round the device stores no more than four, so that at least one choice is cut short.
        if (killed === 0) await choosing.evaluate(STALL);
        await choosing.getByLabel('Photos', { exact: true }).setInputFiles(files);
        await choosing.locator('.tray li').first().waitFor();
        await pause(killed === 0 ? 500 : random() * LONGEST_CHOICE_MS);
        await kill(choosing);
        const page = await open();
        const here = await accounted(page);
        expect([...here.stored, ...here.lost].sort()).toEqual([...names].sort());
        expect([...stored].filter((name) => !here.stored.includes(name))).toEqual([]);
        lost += here.lost.length;
        await page.reload();
        expect((await accounted(page)).lost.sort()).toEqual(here.lost.sort());
        if (here.lost.length > 0) await page.getByRole('button', { name: 'Dismiss' }).click();
        if (here.stored.length > 0) await page.getByRole('button', { name: 'Remove all' }).click();
        await expectSoon(() => page.locator('.lost, .tray').count()).toBe(0);
        await eventually(async () => (await page.evaluate(LEFT)) === 0, 20_000);
        choosing = page;
      }
      expect(lost).toBeGreaterThan(0);
      expect(chat.faults).toEqual([]);
      await chat.context.close();
    },
    30_000 + CHOICES_KILLED * 20_000,
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
  }, 90_000);
}
