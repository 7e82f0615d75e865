import { expectAccessible } from './support/accessibility.js';
import { holds, PHONE } from './support/browser.js';
import { inspection, pictures, recordedNames } from './support/chat-inspection.js';
import { chatFixture, type ChatPage } from './support/chat-page.js';
import { eventually } from './support/eventually.js';
import { expectSoon } from './support/expect-soon.js';
import { Hold } from './support/fake-model.js';
import { chatFlow } from './support/flows.js';
import { describeInBrowser } from './support/page-fixture.js';
import { smallJpeg } from './support/recorded-photographs.js';

const FORBIDDEN = `Object.defineProperty(globalThis, 'indexedDB', {
  value: { open() { throw new DOMException('Not here.', 'SecurityError'); } },
});`;
/** A clock that is a day ahead at every other visit. */
const JUMPING_CLOCK = `{
  const visit = Number(sessionStorage.getItem('visit') ?? 0) + 1;
  sessionStorage.setItem('visit', visit);
  const now = Date.now;
  if (visit % 2 === 1) Date.now = () => now() + 86_400_000;
}`;

describeInBrowser('messages sent without a network', () => {
  const fixture = chatFixture();
  const { client } = fixture;
  let chat: ChatPage;
  let flow: string;

  beforeEach(async () => {
    flow = await client.flow(inspection());
  });

  const visit = async (script?: string, url = fixture.service.url) => {
    chat = await fixture.visit(PHONE);
    if (script !== undefined) await chat.context.addInitScript({ content: script });
    await chat.open(flow, url);
    await chat.field().waitFor();
  };
  const goOffline = async () => {
    await chat.goOffline();
    await chat.page.getByText('You are offline.').waitFor();
  };
  const waiting = () => chat.page.getByRole('article', { name: 'Your message, not sent yet' });
  const add = (...names: string[]) => chat.picker().setInputFiles(pictures(...names));
  const chosen = (count: number) =>
    holds(chat.page, `document.querySelectorAll('.tray .saved').length === ${count}`);
  const shown = (selector: string) =>
    chat.page.evaluate<string[]>(
      `[...document.querySelectorAll('${selector}')].map(({ textContent }) => textContent.trim())`,
    );
  /** Returns the questions that the service has answered in this flow, in order. Each follows the words of its answer. */
  const questions = async (): Promise<string[]> => {
    const { body } = await client.admin('GET', `executions?flowId=${flow}&limit=50`);
    const executions = body.data as {
      status: string;
      question: string;
      startedAt: string;
      replayOf?: string;
    }[];
    return executions
      .filter(({ status, replayOf }) => status === 'succeeded' && !replayOf)
      .sort((one, other) => (one.startedAt < other.startedAt ? -1 : 1))
      .map(({ question }) => question);
  };

  it('wait in any number, across reloads, and go in order and once when it is back', async () => {
    await visit();
    await goOffline();
    const names: string[] = [];
    for (const area of ['Kitchen', 'Hall', 'Bath']) {
      names.push(`${area}.jpg`);
      await add(`${area}.jpg`);
      await chosen(1);
      await chat.say(area);
      await waiting().getByText(area, { exact: true }).waitFor();
      await expectSoon(() => chat.field().inputValue()).toBe('');
    }
    await chat.say('The tap drips');
    await waiting().nth(3).waitFor();
    await expectSoon(() => waiting().getByText('Waiting for the network').count()).toBe(4);
    await expectAccessible(chat.page);
    await chat.page.reload();
    await holds(chat.page, `document.querySelectorAll('.is-waiting').length === 4`);
    await expectSoon(() => shown('.is-waiting .bubble')).toEqual([
      'Kitchen',
      'Hall',
      'Bath',
      'The tap drips',
    ]);
    await chat.context.setOffline(false);
    await chat.lastAnswer().getByText(': The tap drips').waitFor();
    await chat.idle();
    await expectSoon(() => waiting().count()).toBe(0);
    await expectSoon(() => shown('.of-flow')).toEqual([
      '1 recorded, 0 rejected, 1 pending: Kitchen',
      '1 recorded, 0 rejected, 2 pending: Hall',
      '1 recorded, 0 rejected, 3 pending: Bath',
      '0 recorded, 0 rejected, 3 pending: The tap drips',
    ]);
    expect(await questions()).toEqual(['Kitchen', 'Hall', 'Bath', 'The tap drips']);
    expect(await recordedNames(chat, client)).toEqual([...names].sort());
    await chat.page.reload();
    await chat.idle();
    await expectSoon(() => shown('.is-waiting')).toEqual([]);
  });

  it('can be edited and removed before they go', async () => {
    await visit();
    await goOffline();
    await add('one.jpg', 'two.jpg');
    await chosen(2);
    for (const words of ['The kichen', 'Never mind', 'The hall']) await chat.say(words);
    await holds(chat.page, `document.querySelectorAll('.is-waiting').length === 3`);
    await waiting().nth(1).getByRole('button', { name: 'Remove' }).click();
    await waiting().nth(0).getByRole('button', { name: 'Edit' }).click();
    await chosen(2);
    await expectSoon(() => chat.field().inputValue()).toBe('The kichen');
    await chat.page.reload();
    await chosen(2);
    await expectSoon(() => chat.field().inputValue()).toBe('The kichen');
    await chat.say('The kitchen');
    await holds(chat.page, `document.querySelectorAll('.is-waiting').length === 2`);
    await chat.context.setOffline(false);
    await chat.lastAnswer().getByText('2 recorded, 0 rejected, 2 pending: The kitchen').waitFor();
    await expectSoon(questions).toEqual(['The hall', 'The kitchen']);
  });

  it('wait behind one that was lost on the way and behind uploads that failed, and none is dropped', async () => {
    await visit(undefined, fixture.network.url);
    await add('first.jpg');
    await chat.ready('1 photo');
    fixture.network.cut();
    await add('second.jpg');
    await chat.trouble('The connection was lost.').waitFor();
    await chat.say('Both');
    await waiting().getByText('Waiting for the network').waitFor();
    await chat.say('More');
    await holds(chat.page, `document.querySelectorAll('.is-waiting').length === 2`);
    fixture.network.mend();
    await chat.lastAnswer().getByText('0 recorded, 0 rejected, 2 pending: More').waitFor();
    await expectSoon(() => shown('.of-flow')).toEqual([
      '2 recorded, 0 rejected, 2 pending: Both',
      '0 recorded, 0 rejected, 2 pending: More',
    ]);
  });

  it('are sent by themselves when the service is back without a sign of the browser', async () => {
    await visit(undefined, fixture.network.url);
    fixture.network.cut();
    for (const words of ['One', 'Two', 'Three']) await chat.say(words);
    await holds(chat.page, `document.querySelectorAll('.is-waiting').length === 2`);
    fixture.network.mend();
    await chat.lastAnswer().getByText(': Three').waitFor();
    await expectSoon(questions).toEqual(['One', 'Two', 'Three']);
  });

  it.each([
    [429, 'rate_limited', 'Too many messages in a short time.'],
    [503, 'shutting_down', 'The service is restarting.'],
  ])(
    'wait as long as a busy service asks them to (%d), and go by themselves',
    async (status, code, words) => {
      await visit();
      const calls: number[] = [];
      const taken = new Hold();
      await chat.context.route('**/api/v1/prediction/**', (route) => {
        if (calls.push(Date.now()) > 2) return taken.over.then(() => route.continue());
        const body = JSON.stringify({ code, message: 'Wait. Retry-After says for how long.' });
        const headers = { 'retry-after': '2', 'content-type': 'application/json' };
        return route.fulfill({ status, headers, body });
      });
      await chat.say('Kitchen');
      const notice = chat.page.locator('.trouble.waits');
      await notice.getByText(`${words} Your message waits and is sent again by itself.`).waitFor();
      await expectAccessible(chat.page);
      await chat.say('Hall');
      await waiting().getByText('Waiting for the message before it').waitFor();
      taken.letGo();
      await chat.lastAnswer().getByText(': Hall').waitFor();
      await chat.idle();
      expect(await questions()).toEqual(['Kitchen', 'Hall']);
      for (const wait of [calls[1]! - calls[0]!, calls[2]! - calls[1]!])
        expect(wait).toBeGreaterThanOrEqual(1_990);
    },
  );

  it('wait for the person after a refusal that does not pass by itself', async () => {
    await visit();
    let refusals = 0;
    await chat.context.route('**/api/v1/prediction/**', (route) => {
      refusals++;
      const body = JSON.stringify({ code: 'insufficient_credit', message: 'No credit.' });
      return route.fulfill({ status: 402, headers: { 'retry-after': '1' }, body });
    });
    await chat.say('Kitchen');
    await chat.button('Try again').waitFor();
    await chat.page.waitForTimeout(2_000);
    expect(refusals).toBe(1);
    await expectSoon(() => chat.page.locator('.trouble.waits').count()).toBe(0);
  });

  it('wait while an answer is under way', async () => {
    const held = new Hold();
    fixture.model.answers.push(
      { tokens: ['First'], held, heldAfter: 0 },
      { tokens: ['Second'] },
      { tokens: ['Third'] },
    );
    flow = await client.flow(chatFlow(fixture.model.url, { access: { public: true } }));
    await visit();
    for (const words of ['One', 'Two', 'Three']) await chat.say(words);
    await waiting().getByText('Waiting for the message before it').first().waitFor();
    await expectSoon(() => chat.button('Stop').count()).toBe(1);
    held.letGo();
    await chat.lastAnswer().getByText('Third').waitFor();
    await expectSoon(() => shown('.of-person, .of-flow')).toEqual([
      'One',
      'First',
      'Two',
      'Second',
      'Three',
      'Third',
    ]);
  });

  it('go again by themselves if the tab was closed while they were on their way', async () => {
    await visit();
    const predictions = '**/api/v1/prediction/**';
    await chat.context.route(predictions, () => undefined);
    await chat.say('One');
    await chat.page.getByRole('article', { name: 'You', exact: true }).getByText('One').waitFor();
    await chat.say('Two');
    await waiting().waitFor();
    await chat.context.unroute(predictions);
    await chat.page.reload();
    await chat.lastAnswer().getByText(': Two').waitFor();
    await expectSoon(questions).toEqual(['One', 'Two']);
  });

  it('go from one of two tabs', async () => {
    await visit();
    await goOffline();
    await chat.say('One');
    await waiting().waitFor();
    const other = await chat.context.newPage();
    await other.goto(chat.page.url());
    await holds(other, `document.querySelectorAll('.is-waiting').length === 1`);
    await other.locator('#message').fill('Two');
    await other.getByRole('button', { name: 'Send', exact: true }).click();
    await holds(chat.page, `document.querySelectorAll('.is-waiting').length === 2`);
    await chat.context.setOffline(false);
    await eventually(async () => (await questions()).length >= 2, 30_000);
    for (const page of [chat.page, other])
      await holds(page, `document.querySelectorAll('.is-waiting').length === 0`);
    await chat.page.waitForTimeout(500);
    expect(await questions()).toEqual(['One', 'Two']);
  });

  it('keep their order although the clock is set back a day', async () => {
    await visit(JUMPING_CLOCK);
    await goOffline();
    await chat.say('One');
    await waiting().waitFor();
    await chat.page.reload();
    await waiting().waitFor();
    await chat.say('Two');
    await holds(chat.page, `document.querySelectorAll('.is-waiting').length === 2`);
    await chat.context.setOffline(false);
    await chat.lastAnswer().getByText(': Two').waitFor();
    await expectSoon(questions).toEqual(['One', 'Two']);
  });

  it('wait in memory if the browser stores nothing, and say so', async () => {
    await visit(FORBIDDEN);
    await chat.goOffline();
    await add('one.jpg');
    await chat.page.locator('.tray li').waitFor();
    await chat.say('Kitchen');
    await waiting().getByText('Keep this page open until it is sent.').waitFor();
    await chat.context.setOffline(false);
    await chat.lastAnswer().getByText('1 recorded, 0 rejected, 1 pending: Kitchen').waitFor();
  });

  it('are limited to fifty photographs, and name those of two hundred that stay out', async () => {
    await visit();
    const broken = { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(500, 1) };
    // Small ones: all bytes go through the browser's debugger.
    const small = { mimeType: 'image/jpeg', buffer: await smallJpeg() };
    const many = Array.from({ length: 199 }, (_, index) => ({ ...small, name: `${index}.jpg` }));
    await chat.picker().setInputFiles([broken, ...many]);
    await chosen(50);
    const refused = chat.page.getByRole('list', { name: 'Files that were not added' });
    const named = (await refused.getByRole('listitem').allTextContents()).join();
    expect(named.match(/\d+\.jpg/g)).toHaveLength(150);
    await chat.page.getByText('broken.jpg may be damaged').waitFor();
    await chat.ready('50 photos');
  });
});
