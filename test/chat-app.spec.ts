import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { startTestApp, type TestApp } from './support/app.js';
import { published } from './support/chat-page.js';
import { replyFlow } from './support/flows.js';
import { ServiceClient } from './support/service-client.js';
import { buildPages } from './support/web.js';

const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

describe('the chat page as an app', () => {
  let service: TestApp;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    buildPages();
    service = await startTestApp();
  });

  afterAll(() => service.close());

  it('has a manifest of its own for each public flow', async () => {
    const brand = { colour: '#B3261E' };
    const id = await client.flow(
      replyFlow('Hello', { ...published, name: 'Check-in of the Northern Office', chat: { brand } }),
    );
    const answer = await client.send('GET', `/chat/${id}/app.webmanifest`);
    expect(answer.headers.get('content-type')).toContain('application/manifest+json');
    expect(JSON.parse(answer.text)).toMatchObject({
      name: 'Check-in of the Northern Office',
      short_name: 'Check-in of',
      start_url: `/chat/${id}`,
      scope: `/chat/${id}`,
      theme_color: '#B3261E',
    });
    const closed = await client.flow(replyFlow('Hello'));
    expect((await client.send('GET', `/chat/${closed}/app.webmanifest`)).body.code).toBe(
      'share_link_not_public',
    );
  });

  it.each([
    ['icon-192', 192],
    ['icon-512', 512],
    ['icon-maskable', 512],
  ])('has the icon %s', async (name, side) => {
    const answer = await fetch(`${service.url}/chat/${name}.png`);
    expect(answer.headers.get('content-type')).toBe('image/png');
    const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
    expect([width, height]).toEqual([side, side]);
  });

  it('has a worker that browsers revalidate, and an offline page without any chat in it', async () => {
    const worker = await client.send('GET', '/chat/worker.js');
    expect(worker.headers.get('content-type')).toContain('text/javascript');
    expect(worker.headers.get('cache-control')).toBe('no-cache');
    const page = await client.send('GET', '/chat/offline.html', undefined, browser);
    expect(page.status).toBe(200);
    expect(page.text).toContain('<meta name="chat" content=""');
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });
});

describe('the size of the chat page', () => {
  let service: TestApp;

  beforeAll(async () => {
    buildPages();
    service = await startTestApp({ env: { SAMPLES: 'on' } });
  });

  afterAll(() => service.close());

  /** A page or a script with everything that it loads at once. */
  async function firstLoad(path: string, seen = new Map<string, number>()): Promise<Map<string, number>> {
    if (seen.has(path)) return seen;
    const text = await (await fetch(service.url + path, { headers: browser })).text();
    seen.set(path, gzipSync(text).length);
    const named = path.startsWith('/chat/')
      ? text.matchAll(/(?:src|href)="(\/web\/[^"]+)"/g)
      : text.matchAll(/(?:\bfrom|\bimport)\s*["'](\.[^"']+)["']/g);
    for (const [, next] of named) await firstLoad(new URL(next!, `http://x${path}`).pathname, seen);
    return seen;
  }

  it('is at most 250 kB for a first visit, without any part of the console', async () => {
    const files = await firstLoad('/chat/inspection-assistant');
    expect([...files.keys()].filter((path) => path.endsWith('.js')).length).toBeGreaterThan(0);
    expect([...files.keys()].join()).not.toMatch(/console/);
    const total = [...files.values()].reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(20_000);
    expect(total).toBeLessThanOrEqual(250_000);
  });

  it('has at most 100 kB of scripts, including its service worker', async () => {
    const files = await firstLoad('/chat/inspection-assistant');
    const worker = gzipSync(await (await fetch(`${service.url}/chat/worker.js`)).text()).length;
    const scripts = [...files].filter(([path]) => path.endsWith('.js'));
    expect(scripts.length).toBeGreaterThan(1);
    expect(worker).toBeGreaterThan(200);
    expect(scripts.reduce((sum, [, size]) => sum + size, worker)).toBeLessThanOrEqual(100_000);
  });
});
