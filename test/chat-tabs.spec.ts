import type { Page } from 'playwright-core';
import { holds } from './support/browser.js';
import { chatFixture, type ChatPage, published } from './support/chat-page.js';
import { expectSoon } from './support/expect-soon.js';
import { Hold } from './support/fake-model.js';
import { chatFlow } from './support/flows.js';
import { describeInBrowser } from './support/page-fixture.js';

describeInBrowser('two tabs of one chat', () => {
  const fixture = chatFixture();
  const { client } = fixture;
  let chat: ChatPage;
  let other: Page;

  const composer = (page: Page) => page.locator('#message');
  const send = async (page: Page, words: string) => {
    await composer(page).fill(words);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
  };
  const messages = (page: Page) =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll('.of-person, .of-flow')].map(({ textContent }) => textContent.trim())`,
    );
  const shows = (page: Page, count: number) =>
    holds(page, `document.querySelectorAll('.of-person, .of-flow').length === ${count}`);
  const idle = (page: Page) =>
    page.locator('.composer:not(.early)').getByRole('button', { name: 'Send', exact: true }).waitFor();

  beforeEach(async () => {
    chat = await fixture.visit();
    fixture.model.answers.push({ tokens: ['Welcome'] });
    await chat.open(await client.flow(chatFlow(fixture.model.url, published)), fixture.service.url);
    await chat.say('Good morning');
    await chat.lastAnswer().getByText('Welcome').waitFor();
    await chat.idle();
    other = await chat.context.newPage();
    await other.goto(chat.page.url());
    await shows(other, 2);
    await idle(other);
  });

  const ALL = ['Good morning', 'Welcome', 'The hall is dry', 'Noted', 'The bath is wet', 'Noted too'];

  /** Sends in both, and waits for their answers: the model holds back that of the first. */
  const sendAtOnce = async () => {
    const held = new Hold();
    fixture.model.answers.push({ tokens: ['Noted'], held }, { tokens: ['Noted too'] });
    const before = fixture.model.requests.length;
    await send(chat.page, 'The hall is dry');
    while (fixture.model.requests.length === before) await chat.page.waitForTimeout(25);
    await send(other, 'The bath is wet');
    await other.getByRole('button', { name: 'Stop' }).waitFor();
    return held;
  };

  it('show the messages of both if they send at the same time, whichever is answered first', async () => {
    const held = await sendAtOnce();
    held.letGo();
    for (const page of [chat.page, other]) {
      await shows(page, ALL.length);
      await idle(page);
      await expectSoon(() => messages(page)).toEqual(ALL);
    }
    for (const page of [chat.page, other]) {
      await page.reload();
      await shows(page, ALL.length);
      await idle(page);
      await expectSoon(() => messages(page)).toEqual(ALL);
    }
  });

  it('resume the questions of both if both were closed before the answers came', async () => {
    const before = fixture.model.requests.length;
    const held = await sendAtOnce();
    const later = await chat.context.newPage();
    const url = chat.page.url();
    await Promise.all([chat.page.close(), other.close()]);
    held.letGo();
    await later.goto(url);
    await shows(later, ALL.length);
    await idle(later);
    expect((await messages(later)).sort()).toEqual([...ALL].sort());
    await later.reload();
    await shows(later, ALL.length);
    await expectSoon(() => messages(later)).toEqual(ALL);
    expect(fixture.model.requests.length).toBe(before + 2);
  });

  it('retain the draft of one while the other sends', async () => {
    await composer(other).fill('The kitchen is');
    await chat.say('Thank you');
    await chat.lastAnswer().getByText('Hello there').waitFor();
    await other.reload();
    await idle(other);
    await expectSoon(() => composer(other).inputValue()).toBe('The kitchen is');
    await chat.page.reload();
    await chat.idle();
    await expectSoon(() => chat.field().inputValue()).toBe('');
  });

  it('retain a chat that one of them shows, when another tab deletes the finished chats of long ago', async () => {
    await chat.page.close();
    await other.evaluate(`{
      const flow = 'chat:' + location.pathname.split('/')[2] + ':';
      const finished = { state: 'empty', photographs: 0, unsent: 0, messages: 0 };
      for (let count = 0; count < 31; count++)
        localStorage.setItem(
          flow + 'listed:newer-' + count,
          JSON.stringify({ ...finished, at: Date.now() + 60_000 - count }),
        );
      localStorage.setItem(flow + 'chatId', '"newer-0"');
    }`);
    const later = await chat.context.newPage();
    await later.goto(other.url());
    await idle(later);
    await holds(later, `!Object.keys(localStorage).some((key) => key.endsWith(':listed:newer-30'))`);
    await other.reload();
    await shows(other, 2);
  });

  it('show different chats once one of them opens a new one, also after a reload', async () => {
    await chat.restart();
    await shows(chat.page, 0);
    await chat.say('From the beginning');
    await chat.lastAnswer().getByText('Hello there').waitFor();
    await other.reload();
    await shows(other, 2);
    await expectSoon(() => messages(other)).toEqual(['Good morning', 'Welcome']);
    await chat.page.reload();
    await shows(chat.page, 2);
    await expectSoon(() => messages(chat.page)).toEqual(['From the beginning', 'Hello there']);
    await other.getByRole('button', { name: 'Chats' }).click();
    await other
      .getByRole('dialog')
      .getByRole('button', { name: /^From the beginning/ })
      .click();
    await expectSoon(() => messages(other)).toEqual(['From the beginning', 'Hello there']);
  });
});
