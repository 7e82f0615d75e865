import { holds, PHONE } from './support/browser.js';
import { inspection, storedNames, pictures, recordedNames } from './support/chat-inspection.js';
import { chatFixture, type ChatPage } from './support/chat-page.js';
import { eventually } from './support/eventually.js';
import { describeInBrowser } from './support/page-fixture.js';

/** The contents of every cache of the page, as paths. */
const CACHED = `caches.keys().then(async (names) => {
  const held = {};
  for (const name of names)
    held[name] = (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
  return held;
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
    await chat.context.setOffline(true);
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
    await chat.context.setOffline(true);
    await chat.page.goto(`${fixture.service.url}/chat/another-chat`);
    await chat.page.getByText('this chat has not been opened on this device before').waitFor();
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
    expect(Object.keys(await chat.page.evaluate<object>(CACHED))).toEqual(['chat-page-0123456789abcdef']);
    await chat.context.unroute('**/chat/worker.js');
    const isReplaced = async () => {
      const names = Object.keys(await chat.page.evaluate<object>(CACHED));
      return names.length === 1 && names[0] !== 'chat-page-0123456789abcdef';
    };
    // The browser checks for a new worker when it is idle, at one of the next visits.
    for (let visit = 0; visit < 5 && !(await isReplaced()); visit++) {
      await chat.page.reload();
      await eventually(isReplaced, 10_000).catch(() => undefined);
    }
    expect(await isReplaced()).toBe(true);
    await chat.context.setOffline(true);
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
