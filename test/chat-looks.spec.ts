import { expectAccessible } from './support/accessibility.js';
import { DESK, holds, PHONE, SMALL_PHONE } from './support/browser.js';
import { chatFixture, type ChatPage, published } from './support/chat-page.js';
import { expectSoon } from './support/expect-soon.js';
import { echoFlow, replyFlow } from './support/flows.js';
import { describeInBrowser } from './support/page-fixture.js';

describeInBrowser('the appearance of the chat page', () => {
  const fixture = chatFixture({ env: { SAMPLES: 'on' } });
  const { client } = fixture;
  let chat: ChatPage;

  beforeEach(async () => {
    chat = await fixture.visit();
  });

  const open = (flowId: string, url = fixture.service.url) => chat.open(flowId, url);

  it.each([
    ['a phone', PHONE],
    ['a small phone', SMALL_PHONE],
  ])('fits %s', async (_, device) => {
    chat = await fixture.visit(device);
    await open('inspection-assistant');
    await expectAccessible(chat.page);
    await chat.button('Help').click();
    await chat.idle();
    const { width } = device.viewport;
    await expectSoon(() => chat.page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    const small = await chat.page.evaluate(
      `[...document.querySelectorAll('button')].filter(({ offsetHeight }) => offsetHeight > 0 && offsetHeight < 40)
        .map(({ textContent }) => textContent)`,
    );
    expect(small).toEqual([]);
    await chat.openList();
    await expectAccessible(chat.page);
  });

  it('has its whole title at twice the size of text, with no word broken', async () => {
    chat = await fixture.visit(PHONE);
    await open('inspection-assistant');
    await chat.button('Help').tap();
    await chat.idle();
    await chat.page.evaluate(`document.documentElement.style.fontSize = '200%'`);
    const title = await chat.page.evaluate<{ hidden: number; broken: string[] }>(`(() => {
      const title = document.querySelector('h1');
      const linesOf = (word) => {
        const range = document.createRange();
        const from = title.textContent.indexOf(word);
        range.setStart(title.firstChild, from);
        range.setEnd(title.firstChild, from + word.length);
        return range.getClientRects().length;
      };
      return {
        hidden: title.scrollHeight - title.clientHeight,
        broken: title.textContent.split(' ').filter((word) => linesOf(word) !== 1),
      };
    })()`);
    expect(title.hidden).toBeLessThanOrEqual(1);
    expect(title.broken).toEqual([]);
    await expectSoon(() => chat.page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await expectAccessible(chat.page);
  });

  it.each([
    ['a phone, without opening its keyboard', PHONE, 'MAIN'],
    ['a desktop, in the field', DESK, 'TEXTAREA'],
  ])('keeps the focus after a suggested answer on %s', async (_, device, element) => {
    chat = await fixture.visit(device);
    await open('inspection-assistant');
    for (const name of ['Start an inspection', 'Help']) {
      if (name === 'Help') await chat.say(name);
      else await chat.button(name).click();
      await chat.idle();
      const chip = chat.button('What is missing?');
      if (name === 'Help') await chip.click();
      await holds(chat.page, `document.activeElement.tagName === '${element}'`);
      await chat.idle();
      await holds(chat.page, `document.activeElement.tagName === '${element}'`);
    }
  });

  it('shows words of a script from right to left in their direction, while they are written and after', async () => {
    await open(await client.flow(replyFlow('{{question}}', published)));
    await chat.field().fill('שלום!');
    await expectSoon(() =>
      chat.page.evaluate(`getComputedStyle(document.querySelector('#message')).direction`),
    ).toBe('rtl');
    await chat.button('Send').click();
    await chat.idle();
    await chat.lastAnswer().getByText('שלום!').waitFor();
    const leftOf = (selector: string, at: number) =>
      chat.page.evaluate<number>(`(() => {
        const text = document.createTreeWalker(document.querySelector('${selector}'), 4).nextNode();
        const range = document.createRange();
        const from = text.data.indexOf('שלום!') + ${at};
        range.setStart(text, from);
        range.setEnd(text, from + 1);
        return range.getBoundingClientRect().left;
      })()`);
    for (const message of ['.of-person .bubble', '.of-flow .bubble p'])
      expect(await leftOf(message, 4)).toBeLessThan(await leftOf(message, 0));
  });

  it('stays visible above an on-screen keyboard', async () => {
    await open(await client.flow(echoFlow(published)));
    await chat.field().waitFor();
    await chat.page.evaluate(`{
      for (const [name, value] of Object.entries({ height: 500, offsetTop: 40 }))
        Object.defineProperty(visualViewport, name, { value });
      visualViewport.dispatchEvent(new Event('resize'));
    }`);
    const box = `document.querySelector('.chat').getBoundingClientRect()`;
    await holds(chat.page, `${box}.y === 40 && ${box}.height === 500`);
  });

  it('is operated by keyboard on a desktop', async () => {
    chat = await fixture.visit(DESK);
    await open(await client.flow(echoFlow(published)));
    await chat.field().focus();
    await chat.page.keyboard.type('first');
    await chat.page.keyboard.press('Shift+Enter');
    await chat.page.keyboard.type('second');
    await chat.page.keyboard.press('Enter');
    await chat.lastAnswer().getByText('second').waitFor();
    await holds(chat.page, `document.activeElement.id === 'message'`);
    await expectSoon(() => chat.field().inputValue()).toBe('');
    await chat.button('Chats').focus();
    await chat.page.keyboard.press('Enter');
    await chat.button('New chat').waitFor();
    await chat.page.keyboard.press('Escape');
    await expectSoon(() => chat.answers().count()).toBe(1);
    await holds(chat.page, `document.activeElement.textContent === 'Chats'`);
  });

  it.each([
    ['#ffd400', 'dark', 'light'],
    ['#1a237e', 'light', 'dark'],
  ] as const)(
    'shows the logo of a brand, and its colour if it has enough contrast: %s in %s, not in %s',
    async (colour, standsOut, fades) => {
      const svg =
        '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30" onload="document.title=1"><rect width="90" height="30"/><script>document.title=1</script></svg>';
      const logo = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
      const chatMember = { brand: { colour, logo }, starterPrompts: { 0: { prompt: 'Hello' } } };
      await open(
        await client.flow(
          replyFlow('A [link](https://a.example) and `code`', { ...published, chat: chatMember }),
        ),
      );
      await chat.button('Hello').waitFor();
      await expectAccessible(chat.page);
      await chat.button('Hello').click();
      await chat.idle();
      await chat.lastAnswer().getByRole('link').waitFor();
      await expectAccessible(chat.page);
      const rgb = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
      const bubble = 'getComputedStyle(document.querySelector(".of-person .bubble")).backgroundColor';
      await chat.page.emulateMedia({ colorScheme: standsOut });
      await holds(chat.page, `${bubble} === 'rgb(${rgb.join(', ')})'`);
      await chat.page.emulateMedia({ colorScheme: fades });
      await holds(chat.page, `${bubble} !== 'rgb(${rgb.join(', ')})'`);
      await holds(chat.page, 'document.querySelector(".head .logo").naturalWidth === 90');
      await expectSoon(() => chat.page.title()).toBe('Echo');
    },
  );
});
