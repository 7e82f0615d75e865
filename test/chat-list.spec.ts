import { withFile } from './fixtures/renders.js';
import { expectAccessible } from './support/accessibility.js';
import { holds, PHONE, SMALL_PHONE } from './support/browser.js';
import { pictures } from './support/chat-inspection.js';
import { chatFixture, type ChatPage } from './support/chat-page.js';
import { eventually } from './support/eventually.js';
import { expectSoon } from './support/expect-soon.js';
import { describeInBrowser } from './support/page-fixture.js';
import { readPdf } from './support/read-pdf.js';

describeInBrowser('the inspections on the device', () => {
  const fixture = chatFixture({ env: { SAMPLES: 'on', INITIAL_CREDIT: '100000' } });
  const { client } = fixture;
  let chat: ChatPage;

  const visit = async (device = PHONE) => {
    chat = await fixture.visit(device);
    await chat.open('inspection-assistant', fixture.service.url);
    await chat.field().waitFor();
  };
  const sayAndWait = async (words: string) => {
    await chat.idle();
    await chat.say(words);
    await chat.idle();
  };
  const begin = async (address: string, inspector = 'skip') => {
    for (const words of [address, 'interim', inspector]) await sayAndWait(words);
  };
  const photographed = async (area: string, ...names: string[]) => {
    await sayAndWait(area);
    await chat.picker().setInputFiles(pictures(...names));
    await chat.ready(names.length === 1 ? '1 photo' : `${names.length} photos`);
    await chat.button('Send').click();
    await chat.idle();
  };
  const list = () => chat.page.getByRole('dialog', { name: 'Inspections' });
  const entry = (words: string | RegExp) => list().getByRole('button', { name: words });
  const chatId = () =>
    chat.page.evaluate<string>(`JSON.parse(sessionStorage.getItem('chat:inspection-assistant:chatId'))`);
  /** Waits until the page shows an empty chat with another id. */
  const newChatAfter = async (id: string) => {
    await eventually(async () => (await chatId()) !== id);
    await chat.page.getByRole('heading', { name: 'Inspection assistant', level: 2 }).waitFor();
    await expectSoon(() => chat.answers().count()).toBe(0);
  };
  /** Returns the number of entries in a store of the page's database. */
  const stored = (store: 'files' | 'outbox') =>
    chat.page.evaluate<number>(`new Promise((done) => {
      indexedDB.open('chat-photographs').onsuccess = ({ target: { result } }) =>
        (result.transaction('${store}').objectStore('${store}').count().onsuccess = ({ target }) => {
          result.close();
          done(target.result);
        });
    })`);
  const reloadADayAfterDeletionOf = async (id: string) => {
    await chat.page.evaluate(`{
      const name = 'chat:inspection-assistant:listed:${id}';
      const entry = JSON.parse(localStorage.getItem(name));
      localStorage.setItem(name, JSON.stringify({ ...entry, deletedAt: entry.deletedAt - 25 * 3_600_000 }));
    }`);
    await chat.page.reload();
  };
  /** Returns how often the flow has answered these words in a chat. */
  const answered = async (id: string, words: string) => {
    const { body } = await client.admin('GET', 'executions?flowId=inspection-assistant&limit=50');
    const executions = body.data as {
      chatId: string;
      question: string;
      status: string;
      replayOf?: string;
    }[];
    // The page repeats a call whose first attempt still runs, which the service refuses.
    return executions.filter(
      (one) => one.chatId === id && one.question === words && one.status === 'succeeded' && !one.replayOf,
    ).length;
  };
  /** Makes the report of the shown inspection, and returns the text of its PDF. */
  const reportText = async () => {
    await sayAndWait('finish');
    await chat.say('yes');
    const link = chat.lastAnswer().getByRole('link').first();
    await link.waitFor();
    await chat.idle();
    const file = await fetch((await link.getAttribute('href'))!);
    return withFile(new Uint8Array(await file.arrayBuffer()), readPdf).text;
  };

  it.each(['typed', 'chip', 'list'] as const)(
    'are separate after a new one (%s): each report has its own photographs and remarks alone',
    async (how) => {
      await visit();
      await begin('1 First Street, Leeds LS1 4AP', 'Sam Clerk');
      await photographed('Kitchen', 'a.jpg', 'b.jpg');
      await sayAndWait('remark: the first tap is dripping');
      const first = await chatId();
      if (how === 'list') await chat.restart();
      else {
        await sayAndWait('start over');
        await chat.lastAnswer().getByText('2 photographs of 1 First Street').waitFor();
        await (how === 'chip' ? chat.button('New inspection').click() : chat.say('2'));
      }
      await newChatAfter(first);
      await chat.page.getByRole('button', { name: /^1 First Street, Leeds LS1 4AP 2 photos$/ }).waitFor();
      await expectAccessible(chat.page);

      for (const words of ['2 Second Street, Leeds LS1 4AP', 'interim']) await sayAndWait(words);
      await chat.button('Sam Clerk').click();
      await chat.idle();
      await photographed('Hallway', 'c.jpg');
      await sayAndWait('remark: the second door is scratched');
      // Its photographs can be corrected: the page reads its own session.
      await chat.button('Correct photo 1, c.jpg').waitFor();
      const second = await reportText();
      expect(second).toContain('2 Second Street');
      expect(second).toContain('Sam Clerk');
      expect(second).toContain('second door is scratched');
      expect(second).not.toContain('first tap');
      expect(second).not.toContain('Kitchen');

      await chat.openList();
      await entry(/^1 First Street, Leeds LS1 4AP ?Unfinished · 2 photos/).waitFor();
      await entry(/^2 Second Street, Leeds LS1 4AP ?open now · Report made · 1 photo/).waitFor();
      await expectAccessible(chat.page);
      await entry(/^1 First Street/).click();
      await chat.page.getByRole('group', { name: '2 photos' }).waitFor();
      await expectSoon(() => chatId()).toBe(first);
      const reported = await reportText();
      expect(reported).toContain('first tap is dripping');
      expect(reported).not.toContain('Hallway');
      expect(reported).not.toContain('second door');
      const { body } = await client.admin('GET', `inspection/sessions/${first}?flowId=inspection-assistant`);
      expect(body.photographs).toHaveLength(2);
    },
  );

  it('offer a new one after the report, and open it at once when nothing is unreported', async () => {
    await visit();
    await begin('1 First Street, Leeds LS1 4AP');
    await photographed('Kitchen', 'a.jpg');
    await reportText();
    const first = await chatId();
    await chat.button('New inspection').click();
    await newChatAfter(first);
    await chat.openList();
    await entry(/^1 First Street/).click();
    await chat.page.getByRole('group', { name: '1 photo' }).waitFor();
    await sayAndWait('new inspection');
    await newChatAfter(first);
    await chat.page.getByRole('status').getByText('New inspection opened.').waitFor();
    await holds(chat.page, `document.activeElement.id === 'message'`);
  });

  it('are continued with their photographs and draft', async () => {
    await visit();
    await begin('1 First Street, Leeds LS1 4AP');
    await chat.picker().setInputFiles(pictures('a.jpg', 'b.jpg'));
    await chat.ready('2 photos');
    await chat.field().fill('half a sen');
    await chat.restart();
    await expectSoon(() => chat.field().inputValue()).toBe('');
    await expectSoon(() => chat.page.locator('.tray').count()).toBe(0);
    await chat.page.reload();
    const unfinished = chat.page.getByRole('region', { name: 'Unfinished inspections' });
    await unfinished.getByRole('button', { name: /2 photos, 2 not sent yet/ }).click();
    await chat.ready('2 photos');
    await expectSoon(() => chat.field().inputValue()).toBe('half a sen');
    await chat.button('Send').click();
    await chat.lastAnswer().getByText('2 photographs').waitFor();
  });

  it('are deleted from the device explicitly, which can be undone for a day', async () => {
    await visit();
    await begin('1 First Street, Leeds LS1 4AP');
    await photographed('Kitchen', 'a.jpg');
    await chat.picker().setInputFiles(pictures('b.jpg'));
    await chat.ready('1 photo');
    const id = await chatId();
    await chat.openList();
    const remove = list().getByRole('button', {
      name: 'Delete 1 First Street, Leeds LS1 4AP from this device',
    });
    await remove.focus();
    await chat.page.keyboard.press('Enter');
    await list()
      .getByText('1 photo not sent yet will be lost. The service keeps what it recorded.')
      .waitFor();
    await holds(chat.page, `document.activeElement.ariaLabel?.startsWith('Undo: keep 1 First Street')`);
    await expectAccessible(chat.page);
    await chat.page.keyboard.press('Escape');
    await newChatAfter(id);
    await chat.page.reload();
    await chat.openList();
    await list().getByRole('button', { name: /^Undo/ }).click();
    await entry(/^1 First Street/).click();
    await chat.ready('1 photo');
    await chat.openList();
    await remove.click();
    await reloadADayAfterDeletionOf(id);
    await eventually(() => chat.page.evaluate<boolean>(`!JSON.stringify(localStorage).includes('${id}')`));
    await eventually(async () => (await stored('files')) === 0);
    const { body } = await client.admin('GET', `inspection/sessions/${id}?flowId=inspection-assistant`);
    expect(body.photographs).toHaveLength(1);
  });

  it('send no waiting message while they are deleted, but once restored, and lose it after a day', async () => {
    await visit();
    await begin('1 First Street, Leeds LS1 4AP');
    const id = await chatId();
    const sayOfflineAndDelete = async (words: string) => {
      await chat.goOffline();
      await chat.say(words);
      await chat.page.getByText('Waiting for the network').waitFor();
      await chat.openList();
      await list()
        .getByText(/1 message waiting/)
        .waitFor();
      await list()
        .getByRole('button', { name: 'Delete 1 First Street, Leeds LS1 4AP from this device' })
        .click();
      await list().getByText('1 message not sent yet will be lost. The service keeps').waitFor();
      await chat.page.keyboard.press('Escape');
      await newChatAfter(id);
      await chat.context.setOffline(false);
      await chat.page.waitForTimeout(1_000);
      expect(await stored('outbox')).toBe(1);
    };
    await sayOfflineAndDelete('Kitchen');
    await chat.openList();
    await list().getByRole('button', { name: /^Undo/ }).click();
    await eventually(async () => (await stored('outbox')) === 0);
    await entry(/^1 First Street/).click();
    await chat.lastAnswer().getByText('Kitchen').waitFor();
    await sayOfflineAndDelete('Hallway');
    await reloadADayAfterDeletionOf(id);
    await eventually(async () => (await stored('outbox')) === 0);
    expect(await answered(id, 'Hallway')).toBe(0);
  });

  it('send their waiting messages although another one is shown', async () => {
    await visit();
    await begin('1 First Street, Leeds LS1 4AP');
    const id = await chatId();
    await chat.goOffline();
    await chat.say('Kitchen');
    await chat.page.getByText('Waiting for the network').waitFor();
    await chat.restart();
    // The device has lost the list, which the browser stores later than the messages.
    await chat.page.evaluate(`for (const name of Object.keys(localStorage))
      if (name.includes(':listed:')) localStorage.removeItem(name)`);
    await chat.page.goto('about:blank');
    await chat.context.setOffline(false);
    await chat.open('inspection-assistant', fixture.service.url);
    await eventually(async () => (await stored('outbox')) === 0);
    await expectSoon(() => chatId()).not.toBe(id);
    await eventually(async () => (await answered(id, 'Kitchen')) === 1);
  });

  it('fit a small phone and text of twice the size', async () => {
    await visit(SMALL_PHONE);
    await begin(
      'Flat 12, 101 Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch Road, Leeds LS1 4AP',
    );
    await photographed('Kitchen', 'a.jpg');
    await chat.openList();
    await chat.page.evaluate(`document.documentElement.style.fontSize = '200%'`);
    await expectSoon(() => chat.page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await expectSoon(() =>
      chat.page.evaluate(
        `{ const sheet = document.querySelector('.sheet'); sheet.scrollWidth <= sheet.clientWidth }`,
      ),
    ).toBe(true);
  });
});
