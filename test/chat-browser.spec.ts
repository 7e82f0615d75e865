import { type Browser, type BrowserContext, type Page, type Request } from 'playwright-core';
import { join, resolve } from 'node:path';
import { startTestApp, type TestApp } from './support/app.js';
import { type FakeModel, startFakeModel } from './support/fake-model.js';
import { chatFlow, echoFlow, replyFlow } from './support/flows.js';
import { ServiceClient } from './support/service-client.js';
import { browserExists, buildPages, type Network, openBrowser, startNetwork } from './support/web.js';

const photograph = (name: string) => join(resolve(__dirname, '..'), 'samples', 'photographs', `${name}.jpg`);
const published = { access: { public: true } };
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

(browserExists() ? describe : describe.skip)('the chat page in a browser', () => {
  let service: TestApp;
  let model: FakeModel;
  let network: Network;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let faults: string[];
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    buildPages();
    model = await startFakeModel();
    service = await startTestApp({ env: { SAMPLES: 'on' } });
    network = await startNetwork(service.url);
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await network?.close();
    await service?.close();
    await model?.close();
  });

  beforeEach(async () => {
    network.mend();
    faults = [];
    await visit(phone);
  });

  afterEach(() => context.close());

  /** A browser that has never been here. Faults of the page are those of its scripts and of its content policy. */
  async function visit(options: object): Promise<void> {
    await context?.close();
    context = await browser.newContext(options);
    page = await context.newPage();
    page.setDefaultTimeout(15_000);
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy|Trusted/.test(message.text())) faults.push(message.text());
    });
  }

  const open = (flowId: string, url = service.url) => page.goto(`${url}/chat/${flowId}`);
  const field = () => page.getByRole('textbox', { name: 'Message' });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const answers = () => page.getByRole('article', { name: 'Answer' });
  const lastAnswer = () => answers().last();
  const idle = () => button('Send').waitFor();
  const say = async (words: string) => {
    await field().fill(words);
    await button('Send').click();
  };
  const predictions = () => {
    const seen: Request[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') seen.push(request);
    });
    return seen;
  };

  it('sends a message through the share link and shows the answer', async () => {
    const id = await client.flow(echoFlow(published));
    const sent = predictions();
    await open(id);
    expect(await page.title()).toBe('Echo');
    await say('Is it dry?');
    await lastAnswer().getByText('You said: Is it dry?').waitFor();
    await idle();
    const headers = await sent[0]!.allHeaders();
    expect(headers).toMatchObject({ 'x-share-link': 'true', 'idempotency-key': expect.any(String) });
    expect(await page.getByRole('status').last().textContent()).toBe('You said: Is it dry?');
    expect(faults).toEqual([]);
  });

  it('shows the answer while it is still being written, and stops it on demand', async () => {
    const tokens = Array.from({ length: 200 }, (_, index) => `word${index} `);
    model.answers.push({ tokens, tokenMs: 40 });
    await open(await client.flow(chatFlow(model.url, published)));
    await say('Tell me everything');
    await lastAnswer().getByText('word2').waitFor();
    expect(await lastAnswer().getAttribute('aria-busy')).toBe('true');
    expect(await lastAnswer().textContent()).not.toContain('word199');
    await button('Stop').click();
    await page.getByText('You stopped this answer.').waitFor();
    expect(await lastAnswer().textContent()).toContain('word2');
    expect(model.requests.at(-1)!.aborted).toBe(true);
    await idle();
  });

  it('comes back to an answer whose connection broke off, and shows all of it once', async () => {
    const tokens = Array.from({ length: 40 }, (_, index) => `n${index} `);
    model.answers.push({ tokens, tokenMs: 50 });
    await open(await client.flow(chatFlow(model.url, published)), network.url);
    const before = model.requests.length;
    await say('Count');
    await lastAnswer().getByText('n5').waitFor();
    network.cut();
    await page.getByText('Connection lost. Reconnecting …').waitFor();
    network.mend();
    await idle();
    expect((await lastAnswer().textContent())!.trim()).toBe(tokens.join('').trim());
    expect(await answers().count()).toBe(1);
    expect(model.requests.length).toBe(before + 1);
  });

  it('takes the answer up again after the page was loaded anew', async () => {
    const tokens = Array.from({ length: 40 }, (_, index) => `m${index} `);
    model.answers.push({ tokens, tokenMs: 50 });
    await open(await client.flow(chatFlow(model.url, published)));
    await say('Count');
    await lastAnswer().getByText('m5').waitFor();
    await page.reload();
    await lastAnswer().getByText('m39').waitFor();
    await idle();
    expect((await lastAnswer().textContent())!.trim()).toBe(tokens.join('').trim());
    expect(await page.getByText('Count').count()).toBe(1);
  });

  it('sends a message that did not arrive again under the same idempotency key', async () => {
    const sent = predictions();
    await open(await client.flow(echoFlow(published)), network.url);
    await field().waitFor();
    network.cut();
    await say('Hello?');
    await page.getByRole('alert').getByText('There is no connection').waitFor();
    network.mend();
    await button('Try again').click();
    await lastAnswer().getByText('You said: Hello?').waitFor();
    const keys = await Promise.all(sent.map((request) => request.headerValue('idempotency-key')));
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(keys[0]);
  });

  it('says what went wrong in words, and makes a failed run anew under another key', async () => {
    const sent = predictions();
    const id = await client.flow(chatFlow(model.url, published));
    model.answers.push({ error: { status: 400, message: 'bad' } }, { tokens: ['Better', ' now'] });
    await open(id);
    await say('Try');
    await page.getByRole('alert').waitFor();
    await button('Try again').click();
    await lastAnswer().getByText('Better now').waitFor();
    const keys = await Promise.all(sent.map((request) => request.headerValue('idempotency-key')));
    expect(keys[1]).not.toBe(keys[0]);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('sends nothing anew by itself that was refused before the page was loaded', async () => {
    const access = { public: true, rateLimit: { limit: 1, windowSeconds: 600 } };
    await open(await client.flow(echoFlow({ access })));
    await say('one');
    await lastAnswer().getByText('You said: one').waitFor();
    await idle();
    await say('two');
    await page.getByRole('alert').getByText('You can go on in 10 minutes.').waitFor();
    const sent = predictions();
    await page.reload();
    await page.getByRole('alert').getByText('too many messages').waitFor();
    expect(sent).toHaveLength(0);
    await button('Try again').click();
    await page.getByRole('alert').waitFor();
    expect(sent).toHaveLength(1);
  });

  it('keeps the chat on the device until a new one is begun', async () => {
    const sent = predictions();
    page.on('dialog', (dialog) => void dialog.accept());
    await open(await client.flow(echoFlow(published)));
    await say('one');
    await idle();
    await page.reload();
    await lastAnswer().getByText('You said: one').waitFor();
    await say('two');
    await lastAnswer().getByText('You said: two').waitFor();
    await idle();
    await button('New chat').click();
    expect(await answers().count()).toBe(0);
    await say('three');
    await lastAnswer().getByText('You said: three').waitFor();
    const [first, second, third] = sent.map(
      (request) => (request.postDataJSON() as { chatId: string }).chatId,
    );
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it('makes nothing of an answer but text and web links', async () => {
    const message =
      '<img src=x onerror="document.title=1"> [a](javascript:document.title=1) **bold** https://a.example/x';
    await open(await client.flow(replyFlow(message, published)));
    await say('Go');
    await idle();
    expect(await lastAnswer().textContent()).toContain('<img src=x onerror="document.title=1">');
    expect(await lastAnswer().locator('img').count()).toBe(0);
    expect(await lastAnswer().locator('strong').textContent()).toBe('bold');
    const link = lastAnswer().getByRole('link');
    expect(await link.count()).toBe(1);
    expect(await link.getAttribute('href')).toBe('https://a.example/x');
    expect(await link.getAttribute('rel')).toContain('noopener');
    expect(await page.title()).toBe('Echo');
    expect(faults).toEqual([]);
  });

  it('asks for the key of a keyed flow and keeps it in the tab alone', async () => {
    const { id: apiKeyId, key } = (await client.admin('POST', 'api-keys', { name: 'page' })).body;
    const access = { public: true, apiKeyId, allowedDomains: ['shop.example'] };
    await open(await client.flow(echoFlow({ access })));
    await page.getByLabel('Key', { exact: true }).fill('fk_wrong');
    await button('Open the chat').click();
    await page.getByText('does not open the chat').waitFor();
    await page.getByLabel('Key', { exact: true }).fill(key);
    await button('Open the chat').click();
    await say('Let me in');
    await lastAnswer().getByText('You said: Let me in').waitFor();
    await idle();
    const kept = await page.evaluate<string[]>(
      '[JSON.stringify(localStorage), JSON.stringify(sessionStorage)]',
    );
    expect(kept[0]).not.toContain(key);
    expect(kept[0]).not.toContain('Let me in');
    expect(kept[1]).toContain(key);
    await page.reload();
    await lastAnswer().getByText('You said: Let me in').waitFor();
  });

  it('walks through an inspection: photographs go up, and the report comes as a card', async () => {
    await open('inspection-assistant');
    await button('Start an inspection').click();
    await lastAnswer().getByText('address of the property').waitFor();
    for (const words of ['1 Test Street, Leeds LS1 4AP', 'interim', 'skip', 'Kitchen']) {
      await idle();
      await say(words);
    }
    await lastAnswer().getByText('please send the photographs').waitFor();
    await idle();
    await page
      .getByLabel('Photographs', { exact: true })
      .setInputFiles(['kitchen-1', 'hallway', 'keys'].map(photograph));
    await page.getByText('3 photographs').waitFor();
    await button('Remove photograph 3, keys.jpg').click();
    await page.getByText('2 photographs').waitFor();
    await page.locator('.tray img').nth(1).waitFor();
    await button('Send').click();
    await lastAnswer().getByText('recorded 2 photographs in Kitchen').waitFor();
    await idle();
    await say('finish');
    const card = page.getByRole('link', { name: /\.pdf PDF/ });
    await card.waitFor();
    const report = await fetch((await card.getAttribute('href'))!);
    expect(report.headers.get('content-type')).toBe('application/pdf');
    await report.arrayBuffer();
    expect(faults).toEqual([]);
  });

  it('takes at most 50 pictures, and nothing else', async () => {
    await open('inspection-assistant');
    await button('Start an inspection').waitFor();
    const file = (name: string, mimeType: string) => ({ name, mimeType, buffer: Buffer.from('x') });
    const files = Array.from({ length: 51 }, (_, index) => file(`${index}.heic`, 'image/heic'));
    await page
      .getByLabel('Photographs', { exact: true })
      .setInputFiles([...files, file('a.exe', 'text/plain')]);
    await page.getByText('50 photographs, 1 KB').waitFor();
    const complaint = await page.getByRole('alert').textContent();
    expect(complaint).toMatch(/2 files were left out: .*at most 50.*only pictures/);
  });

  it('fits a telephone, and is worked by keyboard on a desk', async () => {
    await open('inspection-assistant');
    await button('Help').click();
    await idle();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const small = await page.evaluate(
      `[...document.querySelectorAll('button')].filter(({ offsetHeight }) => offsetHeight > 0 && offsetHeight < 40)
        .map(({ textContent }) => textContent)`,
    );
    expect(small).toEqual([]);

    await visit({ viewport: { width: 1280, height: 800 } });
    await open(await client.flow(echoFlow(published)));
    await field().focus();
    await page.keyboard.type('first');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('second');
    await page.keyboard.press('Enter');
    await lastAnswer().getByText('second').waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('message');
    expect(await field().inputValue()).toBe('');
  });
});
