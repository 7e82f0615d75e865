import { texts } from '../web/chat/texts.js';
import { expectAccessible } from './support/accessibility.js';
import { holds, PHONE } from './support/browser.js';
import { chatFixture, type ChatPage, published } from './support/chat-page.js';
import { expectSoon } from './support/expect-soon.js';
import { echoFlow } from './support/flows.js';
import { describeInBrowser } from './support/page-fixture.js';

describeInBrowser('the chat page before its script has loaded', () => {
  const fixture = chatFixture();
  const { client } = fixture;
  let chat: ChatPage;

  beforeEach(async () => {
    // Without a service worker, which would serve cached scripts at once.
    chat = await fixture.visit({ ...PHONE, serviceWorkers: 'block' });
  });

  /** Opens a chat whose scripts arrive only when the returned function is called. */
  const openSlowly = async (flowId: string): Promise<() => void> => {
    let arrive!: () => void;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    await chat.page.route('**/web/assets/*.js', async (route) => {
      await arrived;
      await route.continue();
    });
    await chat.page.goto(`${fixture.service.url}/chat/${flowId}`, { waitUntil: 'commit' });
    await chat.page.locator('header h1').waitFor();
    return arrive;
  };
  const early = () => chat.page.locator('#early-message');
  const here = `document.getElementById('message') !== null`;

  it('accepts text, which moves to the composer and is sent', async () => {
    const arrive = await openSlowly(await client.flow(echoFlow(published)));
    await early().tap();
    await chat.page.keyboard.type('The tap drips');
    await expectAccessible(chat.page);
    await expectSoon(() => early().getAttribute('placeholder')).toBe(texts.placeholder);
    await expectSoon(() => chat.page.getByRole('textbox', { name: 'Message' }).count()).toBe(1);
    await expectSoon(() => chat.button(texts.send).isDisabled()).toBe(true);
    arrive();
    await holds(chat.page, here);
    await expectSoon(() => early().count()).toBe(0);
    await holds(chat.page, `document.activeElement.id === 'message'`);
    await chat.page.keyboard.type(' again');
    await expectSoon(() => chat.field().inputValue()).toBe('The tap drips again');
    await chat.button(texts.send).tap();
    await chat.lastAnswer().getByText('You said: The tap drips again').waitFor();
  });

  it('appends it to the draft of the last visit', async () => {
    const flowId = await client.flow(echoFlow(published));
    await chat.open(flowId, fixture.service.url);
    await holds(chat.page, here);
    await chat.field().fill('From before');
    const arrive = await openSlowly(flowId);
    await early().fill('and now');
    arrive();
    await holds(chat.page, here);
    await expectSoon(() => chat.field().inputValue()).toBe('From before\nand now');
  });

  it('needs only the page to know the configuration of the chat', async () => {
    const requests: string[] = [];
    chat.page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    const prompts = { chat: { starterPrompts: ['Is it dry?'] } };
    await chat.open(await client.flow(echoFlow({ ...published, ...prompts })), fixture.service.url);
    await chat.button('Is it dry?').waitFor();
    expect(requests.filter((path) => path.includes('public-chatbotConfig'))).toEqual([]);
  });

  it('offers no composer if a key is required first', async () => {
    const { id: apiKeyId } = (await client.admin('POST', 'api-keys', { name: 'page' })).body;
    const access = { ...published.access, apiKeyId };
    const arrive = await openSlowly(await client.flow(echoFlow({ access })));
    // The style may arrive a moment after the heading; the held script has no part in it.
    await early().waitFor({ state: 'hidden' });
    arrive();
    await chat.page.getByLabel(texts.keyLabel, { exact: true }).waitFor();
  });
});
