import { texts } from '../web/chat/texts.js';
import { expectAccessible } from './support/accessibility.js';
import { holds, PHONE } from './support/browser.js';
import { inspection } from './support/chat-inspection.js';
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
    await holds(chat.page, styled);
    return arrive;
  };
  const styled = `[...document.querySelectorAll('link[rel=stylesheet]')].every(({ sheet }) => sheet)`;
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

  it('takes photographs as soon as it has a button for them', async () => {
    await chat.page.addInitScript(`new MutationObserver((_, observer) => {
      const input = document.querySelector('input[type=file]');
      if (!input) return;
      observer.disconnect();
      const chosen = new DataTransfer();
      chosen.items.add(new File(['x'], 'early.jpg', { type: 'image/jpeg' }));
      input.files = chosen.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    }).observe(document, { childList: true, subtree: true })`);
    await chat.open(await client.flow(inspection()), fixture.service.url);
    await chat.page.getByTitle('early.jpg').waitFor();
  });

  it('shows messages that wait although the script for them did not arrive at first', async () => {
    await chat.page.route('**/web/assets/waiting-messages*.js', (route) => route.abort(), { times: 1 });
    await chat.page.route('**/api/v1/prediction/**', () => undefined);
    await chat.open(await client.flow(echoFlow(published)), fixture.service.url);
    for (const words of ['One', 'Two']) await chat.say(words);
    await chat.page.getByRole('article', { name: 'Your message, not sent yet' }).getByText('Two').waitFor();
  });

  it('offers no composer if a key is required first', async () => {
    const { id: apiKeyId } = (await client.admin('POST', 'api-keys', { name: 'page' })).body;
    const access = { ...published.access, apiKeyId };
    const arrive = await openSlowly(await client.flow(echoFlow({ access })));
    await early().waitFor({ state: 'hidden' });
    arrive();
    await chat.page.getByLabel(texts.keyLabel, { exact: true }).waitFor();
  });
});
