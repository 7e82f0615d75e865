import { holds, PHONE } from './support/browser.js';
import { inspection, storedNames, pictures, recordedNames } from './support/chat-inspection.js';
import { chatFixture, type ChatPage } from './support/chat-page.js';
import { eventually } from './support/eventually.js';
import { expectSoon } from './support/expect-soon.js';
import { startOlderBuild } from './support/older-build.js';
import { describeInBrowser } from './support/page-fixture.js';

/** The contents of every cache of the page, as paths. */
const CACHED = `caches.keys().then(async (names) => {
  const held = {};
  for (const name of names)
    held[name] = (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
  return held;
})`;

/** Looks for a new worker, and returns whether none is on its way. */
const UPDATED = `navigator.serviceWorker.getRegistration().then(async (one) => {
  await one.update();
  return !one.installing && !one.waiting;
})`;

describeInBrowser('the chat page without a connection', () => {
  const fixture = chatFixture();
  const { client } = fixture;
  let chat: ChatPage;
  let flow: string;

  beforeAll(async () => {
    flow = await client.flow(inspection());
  });

  beforeEach(async () => {
    chat = await fixture.visit(PHONE);
  });

  /** Waits until the page can be opened offline. */
  const installed = () => holds(chat.page, 'navigator.serviceWorker.controller');
  const open = async (id = flow) => {
    await chat.open(id, fixture.service.url);
    await chat.field().waitFor();
    await installed();
  };
  const add = (...names: string[]) => chat.picker().setInputFiles(pictures(...names));
  const title = () => chat.page.getByRole('heading', { level: 1 });

  it('stores photographs chosen offline, opens again, and records each once when it is online', async () => {
    await open();
    await add('one.jpg', 'two.jpg');
    await chat.ready('2 photos');
    await chat.goOffline();
    await chat.page.getByText('You are offline.').waitFor();
    await add('three.jpg');
    await holds(chat.page, `document.querySelectorAll('.tray .saved').length === 3`);
    await chat.page.reload();
    await title().getByText('Inspection').waitFor();
    await holds(chat.page, `document.querySelectorAll('.tray .saved').length === 3`);
    expect(await storedNames(chat)).toEqual(['one.jpg', 'two.jpg', 'three.jpg']);
    await chat.context.setOffline(false);
    await chat.ready('3 photos');
    await chat.say('all');
    await chat.lastAnswer().getByText('3 recorded, 0 rejected, 3 pending: all').waitFor();
    expect(await recordedNames(chat, client)).toEqual(['one.jpg', 'three.jpg', 'two.jpg']);
  });

  it('caches its own files alone, and no API answer or chat page', async () => {
    await open();
    await chat.say('hello');
    await chat.idle();
    const held = Object.entries(await chat.page.evaluate<Record<string, string[]>>(CACHED));
    expect(held).toEqual([[expect.stringMatching(/^chat-page-[0-9a-f]{16}$/), expect.any(Array)]]);
    const paths = held[0]![1];
    expect(paths).toContain('/chat/offline.html');
    expect(paths.filter((path) => path.endsWith('.js')).length).toBeGreaterThan(0);
    for (const path of paths)
      expect(path).toMatch(/^(\/web\/assets\/[\w-]+-[\w-]{8}\.(js|css|svg)|\/chat\/offline\.html)$/);
  });

  it('shows a refusal as it is while it is online', async () => {
    const id = await client.flow(inspection());
    await open(id);
    await client.admin('PUT', `flows/${id}`, inspection({ access: { public: false } }));
    expect((await chat.page.reload())!.status()).toBe(403);
    await chat.page.getByText('not open to visitors').waitFor();
    await client.admin('DELETE', `flows/${id}`);
    expect((await chat.page.reload())!.status()).toBe(404);
    await chat.page.getByText('This chat does not exist').waitFor();
  });

  it('reports that a chat never opened here is not available offline', async () => {
    await open();
    await chat.goOffline();
    await chat.page.goto(`${fixture.service.url}/chat/another-chat`);
    await chat.page.getByText('this chat has not been opened on this device before').waitFor();
  });

  const caches = async () => Object.keys(await chat.page.evaluate<object>(CACHED));
  /** Waits until a worker has replaced the one with these caches. */
  const replaced = (before: readonly string[]) =>
    eventually(async () => {
      // The browser checks for a new worker when it is idle, at one of the next visits.
      const isInstalled = await chat.page.evaluate<boolean>(UPDATED);
      return isInstalled && (await caches()).some((name) => !before.includes(name));
    }, 20_000);

  it('moves from an older build to the next without losing a draft, a waiting message or a photograph', async () => {
    const older = await startOlderBuild(fixture.service.url);
    try {
      await chat.open(flow, older.url);
      await chat.field().waitFor();
      await installed();
      await chat.say('Kitchen');
      await chat.lastAnswer().getByText(': Kitchen').waitFor();
      const before = await caches();
      await chat.goOffline();
      await chat.page.getByText('You are offline.').waitFor();
      await add('one.jpg');
      await holds(chat.page, `document.querySelectorAll('.tray .saved').length === 1`);
      await chat.say('Hall');
      await chat.page.getByRole('article', { name: 'Your message, not sent yet' }).waitFor();
      await add('two.jpg');
      await holds(chat.page, `document.querySelectorAll('.tray .saved').length === 1`);
      await chat.field().fill('The tap dri');
      older.deploy();
      await chat.context.setOffline(false);
      await chat.page.reload();
      await chat.lastAnswer().getByText('1 recorded, 0 rejected, 1 pending: Hall').waitFor();
      await expectSoon(() => chat.field().inputValue()).toBe('The tap dri');
      await expectSoon(() => storedNames(chat)).toEqual(['two.jpg']);
      await replaced(before);
      await chat.goOffline();
      await chat.page.reload();
      await title().getByText('Inspection').waitFor();
      await expectSoon(() => chat.field().inputValue()).toBe('The tap dri');
      await holds(chat.page, `document.querySelectorAll('.tray .saved').length === 1`);
      await expectSoon(() => chat.page.content()).not.toContain('-older.');
    } finally {
      await chat.page.goto('about:blank');
      await older.close();
    }
  });

  it('opens every sheet of an older page whose build was replaced meanwhile', async () => {
    const older = await startOlderBuild(fixture.service.url);
    try {
      await chat.open(flow, older.url);
      await chat.field().waitFor();
      await installed();
      const before = await caches();
      older.deploy();
      await replaced(before);
      await chat.say('Kitchen');
      await chat.lastAnswer().getByText(': Kitchen').waitFor();
      await chat.button('Checklist').click();
      await chat.page.getByRole('dialog').getByRole('list', { name: 'Areas' }).waitFor();
    } finally {
      await chat.page.goto('about:blank');
      await older.close();
    }
  });

  it("replaces an older worker's files", async () => {
    const older = `self.addEventListener('install', (event) => event.waitUntil((async () => {
        const cache = await caches.open('chat-page-0123456789abcdef');
        await cache.put('/web/assets/old-12345678.js', new Response('old'));
        await cache.put('/chat/offline.html', new Response('An older page', { headers: { 'Content-Type': 'text/html' } }));
      })()));
      self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
      self.addEventListener('fetch', (event) => {
        if (event.request.mode === 'navigate')
          event.respondWith(fetch(event.request).catch(() => caches.match('/chat/offline.html')));
      });`;
    await chat.context.route('**/chat/worker.js', (route) =>
      route.fulfill({ body: older, contentType: 'text/javascript' }),
    );
    await open();
    expect(await caches()).toEqual(['chat-page-0123456789abcdef']);
    await chat.context.unroute('**/chat/worker.js');
    await replaced(['chat-page-0123456789abcdef']);
    await chat.goOffline();
    await chat.page.reload();
    await title().getByText('Inspection').waitFor();
  });

  it('is installable as an app with its own name', async () => {
    await open();
    const session = await chat.context.newCDPSession(chat.page);
    const { errors, data } = await session.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    expect(JSON.parse(data!)).toMatchObject({
      name: 'Inspection',
      start_url: `/chat/${flow}`,
      display: 'standalone',
    });
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
  });
});
