import { expectAccessible } from './support/accessibility.js';
import { holds } from './support/browser.js';
import { chatFixture, type ChatPage, published } from './support/chat-page.js';
import { eventually } from './support/eventually.js';
import { expectSoon } from './support/expect-soon.js';
import { Hold } from './support/fake-model.js';
import { chatFlow, echoFlow, replyFlow } from './support/flows.js';
import { describeInBrowser } from './support/page-fixture.js';
import { samplePhotograph } from './support/sample-photographs.js';

const counted = (count: number, mark: string) =>
  Array.from({ length: count }, (_, index) => `${mark}${index} `);

describeInBrowser('the chat page in a browser', () => {
  const fixture = chatFixture({ env: { SAMPLES: 'on' } });
  const { client } = fixture;
  let chat: ChatPage;

  beforeEach(async () => {
    chat = await fixture.visit();
  });

  const open = (flowId: string, url = fixture.service.url) => chat.open(flowId, url);

  it('sends a message through the share link and shows the answer', async () => {
    const sent = chat.predictions();
    await open(await client.flow(echoFlow(published)));
    await expectSoon(() => chat.page.title()).toBe('Echo');
    await chat.say('Is it dry?');
    await chat.lastAnswer().getByText('You said: Is it dry?').waitFor();
    await chat.idle();
    const headers = await sent[0]!.allHeaders();
    expect(headers).toMatchObject({ 'x-share-link': 'true', 'idempotency-key': expect.any(String) });
  });

  it('shows the answer while it is being written, and stops it on request', async () => {
    fixture.model.answers.push({ tokens: counted(200, 'word'), held: new Hold(), heldAfter: 10 });
    await open(await client.flow(chatFlow(fixture.model.url, published)));
    await chat.say('Tell me everything');
    await chat.lastAnswer().getByText('word2').waitFor();
    await expectSoon(() => chat.lastAnswer().getAttribute('aria-busy')).toBe('true');
    await expectSoon(() => chat.lastAnswer().textContent()).not.toContain('word199');
    await chat.button('Stop').click();
    await chat.page.getByText('You stopped this answer.').waitFor();
    await expectSoon(() => chat.lastAnswer().textContent()).toContain('word2');
    await eventually(() => fixture.model.requests.at(-1)!.aborted);
    await chat.idle();
  });

  it('stays at its end when it grows right after it scrolled, and leaves it when the person scrolls up', async () => {
    await open(await client.flow(replyFlow('A line.\n\n'.repeat(80), published)));
    await chat.say('Go');
    await chat.lastAnswer().getByText('A line.').last().waitFor();
    await chat.idle();
    const distance = () =>
      chat.page.evaluate<number>(
        `((list) => list.scrollHeight - list.clientHeight - list.scrollTop)(document.querySelector('.scroller'))`,
      );
    await eventually(async () => (await distance()) < 1);
    // Near the end, at the end, and larger, before the browser reports the scroll.
    await chat.page.evaluate(`new Promise((done) => {
      const list = document.querySelector('.scroller');
      list.scrollTop -= 40;
      setTimeout(() => {
        list.scrollTop += 40;
        list.firstElementChild.append(Object.assign(document.createElement('div'), { style: 'height: 300px' }));
        setTimeout(done, 200);
      }, 200);
    })`);
    await eventually(async () => (await distance()) < 1);
    await chat.page.mouse.move(200, 300);
    await chat.page.mouse.wheel(0, -600);
    await eventually(async () => (await distance()) > 400);
  });

  it('announces a complete answer once to screen readers, without its markup', async () => {
    fixture.model.answers.push({ tokens: ['**Hello**'] });
    fixture.model.answers.push({
      tokens: ['## Done\n\n', ...counted(30, 'w'), '**bold** [here](https://a.example)'],
      tokenMs: 20,
    });
    await open(await client.flow(chatFlow(fixture.model.url, published)));
    await chat.say('Hello');
    // Waits for the script that knows markup.
    await chat.lastAnswer().locator('strong').waitFor();
    await chat.idle();
    await chat.page.evaluate(`{
      globalThis.said = [];
      for (const status of document.querySelectorAll('[role=status]'))
        new MutationObserver(() => said.push(status.textContent)).observe(status, { childList: true, characterData: true, subtree: true });
    }`);
    await chat.say('Go');
    await chat.idle();
    const announced = await chat.page.evaluate<string[]>('said');
    expect(announced.length).toBeLessThanOrEqual(3);
    expect(announced.at(-1)).toMatch(/^Done\s+w0 .* w29 bold here$/s);
  });

  it('stores the chat and the draft on the device, and starts a new chat beside it', async () => {
    const sent = chat.predictions();
    await open(await client.flow(echoFlow(published)));
    await chat.say('one');
    await chat.idle();
    await chat.field().fill('half a sen');
    await chat.page.reload();
    await chat.lastAnswer().getByText('You said: one').waitFor();
    await expectSoon(() => chat.field().inputValue()).toBe('half a sen');
    await chat.say('two');
    await chat.lastAnswer().getByText('You said: two').waitFor();
    await chat.idle();
    await chat.restart();
    await expectSoon(() => chat.answers().count()).toBe(0);
    await holds(chat.page, `document.activeElement.id === 'message'`);
    await chat.say('three');
    await chat.lastAnswer().getByText('You said: three').waitFor();
    const [first, second, third] = sent.map(
      (request) => (request.postDataJSON() as { chatId: string }).chatId,
    );
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it('renders Markdown, and nothing of an answer but text and links', async () => {
    const message = [
      '## Found\n\n- a\n  - b\n\n| Area | Count |\n|------|------:|\n| Hall | 3 |\n\n**bold**',
      '<img src=x onerror="document.title=1"> <script>document.title=1</script> <style>*{display:none}</style>',
      '[a](javascript:document.title=1) [b](data:text/html,x) ![c](https://a.example/p.png) https://a.example/x',
    ].join('\n\n');
    await open(await client.flow(replyFlow(message, published)));
    await chat.say('Go');
    await chat.idle();
    const answer = chat.lastAnswer();
    await expectSoon(() => answer.textContent()).toContain('<img src=x onerror="document.title=1">');
    await expectSoon(() => answer.locator('img, script, style, iframe').count()).toBe(0);
    await expectSoon(() => answer.getByRole('heading', { name: 'Found' }).count()).toBe(1);
    await expectSoon(() => answer.getByRole('cell', { name: 'Hall' }).count()).toBe(1);
    await expectSoon(() => answer.locator('li li').textContent()).toBe('b');
    const links = answer.getByRole('link');
    const hrefs = await chat.page.evaluate(
      '[...document.querySelectorAll(".prose a")].map(({ href }) => href)',
    );
    expect(hrefs).toEqual(['https://a.example/p.png', 'https://a.example/x']);
    await expectSoon(() => links.first().getAttribute('rel')).toContain('noopener');
    await expectSoon(() => chat.page.title()).toBe('Echo');
  });

  it('shows hostile text of the flow and the user literally', async () => {
    const hostile = '<img src=x onerror="document.title=1">{{name}}</title><script>document.title=1</script>';
    const starterPrompts = { 0: { prompt: hostile } };
    await open(await client.flow(echoFlow({ ...published, name: hostile, chat: { starterPrompts } })));
    await expectSoon(() => chat.page.getByRole('heading', { level: 1 }).textContent()).toBe(hostile);
    await chat.button(hostile).click();
    await chat.idle();
    await expectSoon(() => chat.page.getByRole('article', { name: 'You' }).textContent()).toBe(hostile);
    await expectSoon(() => chat.page.locator('#chat img').count()).toBe(0);
    await expectSoon(() => chat.page.title()).toBe(hostile);
  });

  it('requests the key of a keyed flow and stores it in the tab alone', async () => {
    const { id: apiKeyId, key } = (await client.admin('POST', 'api-keys', { name: 'page' })).body;
    const access = { public: true, apiKeyId, allowedDomains: ['shop.example'] };
    await open(await client.flow(echoFlow({ access })));
    await chat.page.getByLabel('Key', { exact: true }).fill('fk_wrong');
    await chat.button('Open the chat').click();
    await chat.page.getByText('does not open the chat').waitFor();
    await expectAccessible(chat.page);
    await chat.page.getByLabel('Key', { exact: true }).fill(key);
    await chat.button('Open the chat').click();
    await chat.say('Let me in');
    await chat.lastAnswer().getByText('You said: Let me in').waitFor();
    await chat.idle();
    const stored = await chat.page.evaluate<string[]>(
      '[JSON.stringify(localStorage), JSON.stringify(sessionStorage)]',
    );
    expect(stored[0]).not.toContain(key);
    expect(stored[0]).not.toContain('Let me in');
    expect(stored[1]).toContain(key);
    await chat.page.reload();
    await chat.lastAnswer().getByText('You said: Let me in').waitFor();
  });

  it('requests the key again after it is revoked, and loses nothing', async () => {
    const made = await Promise.all(['old', 'new'].map((name) => client.admin('POST', 'api-keys', { name })));
    const [old, renewed] = made.map(({ body }) => body as { id: string; key: string });
    const flow = echoFlow({ access: { public: true, apiKeyId: old!.id } });
    const id = await client.flow(flow);
    await open(id);
    await chat.page.getByLabel('Key', { exact: true }).fill(old!.key);
    await chat.button('Open the chat').click();
    await chat.say('one');
    await chat.idle();
    await client.admin('PUT', `flows/${id}`, { ...flow, access: { public: true, apiKeyId: renewed!.id } });
    await chat.say('two');
    await chat.page.getByLabel('Key', { exact: true }).fill(renewed!.key);
    await chat.button('Open the chat').click();
    await chat.lastAnswer().getByText('You said: two').waitFor();
    await expectSoon(() => chat.answers().count()).toBe(2);
  });

  it('runs an inspection: photographs are uploaded, and the report appears as a card', async () => {
    await open('inspection-assistant');
    await chat.button('Start an inspection').click();
    await chat.lastAnswer().getByText('address of the property').waitFor();
    for (const words of ['1 Test Street, Leeds LS1 4AP', 'interim', 'skip', 'Kitchen']) {
      await chat.idle();
      await chat.say(words);
    }
    await chat.lastAnswer().getByText('please send the photographs').waitFor();
    await chat.idle();
    await chat.picker().setInputFiles(['kitchen-1', 'hallway', 'keys'].map(samplePhotograph));
    await chat.ready('3 photos');
    await chat.button('Remove photo 3, keys.jpg').click();
    await chat.ready('2 photos');
    await chat.page.locator('.tray img').nth(1).waitFor();
    await chat.button('Send').click();
    await chat.lastAnswer().getByText('recorded 2 photographs in Kitchen').waitFor();
    await chat.idle();
    await chat.button('Finish').click();
    await chat.button('Make the report').click();
    const card = chat.page.getByRole('link', { name: /\.pdf PDF/ });
    await card.waitFor();
    const report = await fetch((await card.getAttribute('href'))!);
    expect(report.headers.get('content-type')).toBe('application/pdf');
    await report.arrayBuffer();
    await expectAccessible(chat.page);
  });
});
