import { startTestApp, type TestApp } from './support/app.js';
import { replyFlow } from './support/flows.js';
import { ServiceClient } from './support/service-client.js';
import { buildPages } from './support/web.js';

const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const LOGO = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')}`;
const published = { access: { public: true } };

describe('the hosted chat page', () => {
  let service: TestApp;
  let addresses = 0;
  let address: string;
  const client = new ServiceClient(() => service);

  const open = (path: string, headers: Record<string, string> = {}) =>
    client.send('GET', path, undefined, { 'X-Forwarded-For': address, ...headers });
  const flow = (more: object = {}) => client.flow(replyFlow('Hello', more));

  beforeAll(async () => {
    buildPages();
    service = await startTestApp({ env: { TRUST_PROXY: '1' } });
  });

  beforeEach(() => {
    address = `198.51.100.${++addresses}`;
  });

  afterAll(() => service.close());

  it('is served for a flow whose share link is public', async () => {
    const id = await flow(published);
    const page = await open(`/chat/${id}`, browser);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.text).toContain('<title>Echo</title>');
  });

  it('allows no foreign source, no inline script and no frame around it', async () => {
    const page = await open(`/chat/${await flow(published)}`, browser);
    const policy = page.headers.get('content-security-policy')!.split('; ');
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "style-src 'self'"]),
    );
    expect(policy).toEqual(expect.arrayContaining(["frame-ancestors 'none'", "base-uri 'none'"]));
    expect(policy.join()).not.toMatch(/unsafe|https?:|\*/);
    expect(page.text).not.toMatch(/<script(?![^>]* src="\/web\/)|<style|\son\w+=|style=|https?:\/\/(?!127)/);
  });

  it('shows the name of the flow as text, and nothing else of the flow', async () => {
    const name = `</title><script>alert("1")</script>'{{chat}}$&`;
    const id = await client.flow(
      replyFlow('The secret prompt', { ...published, name, description: 'Private' }),
    );
    const { text } = await open(`/chat/${id}`, browser);
    expect(text).toContain(
      '<title>&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;{{chat}}$&amp;</title>',
    );
    expect(text).not.toContain('<script>alert');
    expect(text).not.toMatch(/secret prompt|Private/);
    const [, chat] = /<meta name="chat" content="([^"]*)"/.exec(text)!;
    expect(chat).toContain('&quot;keyed&quot;:false');
  });

  it('is 403 share_link_not_public unless the flow is public', async () => {
    const id = await flow();
    const problem = await open(`/chat/${id}`);
    expect([problem.status, problem.body.code]).toEqual([403, 'share_link_not_public']);
    expect(problem.headers.get('content-type')).toContain('application/problem+json');
    const page = await open(`/chat/${id}`, browser);
    expect(page.status).toBe(403);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('vary')).toContain('Accept');
    expect(page.text).toMatch(/not open to visitors.*Ask them to make the share link public/s);
    expect((await client.predict(id, { question: 'Hi' }, { 'X-Share-Link': 'true' })).status).toBe(403);
    expect((await client.predict(id, { question: 'Hi' })).status).toBe(200);
  });

  it('counts an unknown flow once per address and id toward the address block', async () => {
    for (let call = 0; call < 5; call++) {
      const answer = await open('/chat/no-such-flow', browser);
      expect(answer.status).toBe(404);
      expect(answer.text).toContain('This chat does not exist');
    }
    expect((await open('/chat/%E0%A4%A')).body.code).toBe('flow_not_found');
    expect((await open('/chat/third-unknown-flow')).body.code).toBe('flow_not_found');
    const blocked = await open(`/chat/${await flow(published)}`, browser);
    expect(blocked.status).toBe(429);
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(3500);
    expect(blocked.text).toContain('Try again in 60 minutes.');
  });

  describe('requested without a user action', () => {
    const of = (dest: string, mode: string, site = 'cross-site') => ({
      'Sec-Fetch-Dest': dest,
      'Sec-Fetch-Mode': mode,
      'Sec-Fetch-Site': site,
    });
    const ahead = { ...of('document', 'navigate'), 'Sec-Purpose': 'prefetch' };

    it.each([
      ['a picture', of('image', 'no-cors')],
      ['a script', of('script', 'no-cors')],
      ['a frame of another site', of('iframe', 'navigate')],
      ['a frame of a neighbouring site', of('iframe', 'navigate', 'same-site')],
      ['an embedded object', of('embed', 'navigate')],
      ['a call', of('empty', 'cors')],
      ['a request without a destination', { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Site': 'cross-site' }],
      ['a call of our own page', of('empty', 'cors', 'same-origin')],
      ['a prefetch', ahead],
    ])('is the same 403 for every id and no strike: %s', async (_, headers) => {
      const ids = [await flow(published), await flow(), 'unknown-1', 'unknown-2', 'unknown-3', 'unknown-4'];
      const answers = new Set<string>();
      for (const path of ids.flatMap((id) => [`/chat/${id}`, `/chat/${id}/logo`])) {
        const { status, text } = await open(path, headers);
        answers.add(`${status} ${text}`);
        expect(text).toContain('share_link_not_public');
      }
      expect([...answers]).toEqual([expect.stringMatching(/^403 /)]);
      expect((await open(`/chat/${ids[0]}`, browser)).status).toBe(200);
    });

    it('except for a user who opens it, from anywhere, and a page that requests its logo', async () => {
      const id = await flow({ ...published, chat: { brand: { logo: LOGO } } });
      for (const site of ['none', 'cross-site', 'same-origin'])
        expect((await open(`/chat/${id}`, { ...browser, ...of('document', 'navigate', site) })).status).toBe(
          200,
        );
      expect((await open(`/chat/${id}/logo`, of('image', 'no-cors', 'same-origin'))).status).toBe(200);
      expect((await open(`/chat/${id}/logo`, of('image', 'no-cors'))).status).toBe(403);
    });

    it('except for a page that requests its manifest', async () => {
      const id = await flow(published);
      const path = `/chat/${id}/app.webmanifest`;
      expect((await open(path, of('manifest', 'cors', 'same-origin'))).status).toBe(200);
      expect((await open(path, of('manifest', 'cors'))).status).toBe(403);
    });

    it('while every other unknown id is a strike', async () => {
      for (const id of ['unknown-1', 'unknown-2', 'unknown-3'])
        expect((await open(`/chat/${id}`, { ...browser, ...of('document', 'navigate') })).status).toBe(404);
      expect((await open('/chat/unknown-4', browser)).status).toBe(429);
    });
  });

  it('requires no key, no domain and no rate limit for the page itself', async () => {
    const key = (await client.admin('POST', 'api-keys', { name: 'chat' })).body;
    const id = await flow({
      access: {
        public: true,
        apiKeyId: key.id,
        allowedDomains: ['shop.example'],
        rateLimit: { limit: 1, windowSeconds: 3600 },
      },
    });
    for (let call = 0; call < 3; call++) {
      const page = await open(`/chat/${id}`, { ...browser, Referer: 'https://elsewhere.example/' });
      expect(page.status).toBe(200);
      expect(page.text).toContain('&quot;keyed&quot;:true');
    }
    const headers = { authorization: `Bearer ${key.key}`, origin: service.url, 'X-Share-Link': 'true' };
    expect((await client.predict(id, { question: 'Hi' }, headers)).status).toBe(200);
    expect((await client.predict(id, { question: 'Hi' }, headers)).body.code).toBe('rate_limited');
  });

  it('loads its scripts and styles from this service, compressed and cached for good', async () => {
    const { text } = await open(`/chat/${await flow(published)}`, browser);
    const assets = [...text.matchAll(/(?:src|href)="(\/web\/[^"]+)"/g)].map(([, path]) => path!);
    expect(assets.length).toBeGreaterThanOrEqual(3);
    for (const path of assets) {
      for (const encoding of ['br', 'gzip', 'identity']) {
        const asset = await open(path, { 'Accept-Encoding': encoding });
        expect([path, asset.status]).toEqual([path, 200]);
        expect(asset.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
        expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        expect(asset.headers.get('content-type')).toMatch(/^(text\/(javascript|css)|image\/svg\+xml)/);
        expect(asset.text.length).toBeGreaterThan(100);
      }
    }
  });

  it.each(['nothing.js', '..%2Fchat.html', '%2e%2e%2f%2e%2e%2fmain.js', 'chat.js.br', '.env', 'a%00.js'])(
    'has no asset %s, and counts no such miss',
    async (name) => {
      for (let call = 0; call < 4; call++) {
        const asset = await open(`/web/assets/${name}`, { 'Accept-Encoding': 'br' });
        expect([asset.status, asset.body.code]).toEqual([404, 'not_found']);
        expect(asset.headers.get('content-encoding')).toBeNull();
      }
    },
  );
});

describe('the brand of a flow', () => {
  let service: TestApp;
  const client = new ServiceClient(() => service);
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const branded = (brand: unknown) => replyFlow('Hello', { ...published, chat: { brand } });
  const open = (path: string) => fetch(service.url + path, { headers: browser });
  const servedWith = async (id: string) => {
    const [, chat] = /<meta name="chat" content="([^"]*)"/.exec(await (await open(`/chat/${id}`)).text())!;
    return JSON.parse(chat!.replaceAll('&quot;', '"')) as { brand: { colour?: string; logo?: string } };
  };

  beforeAll(async () => {
    buildPages();
    service = await startTestApp();
  });

  afterAll(() => service.close());

  it('is returned to the page, and its logo served from here', async () => {
    const id = await client.flow(branded({ colour: '#B3261E', logo: `data:image/png;base64,${png}` }));
    const { brand } = await servedWith(id);
    expect(brand).toEqual({ colour: '#B3261E', logo: expect.stringMatching(`^/chat/${id}/logo\\?`) });
    const logo = await open(brand.logo!);
    expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await logo.arrayBuffer()).toString('base64')).toBe(png);
    expect((await client.send('GET', `/api/v1/public-chatbotConfig/${id}`)).text).not.toContain(png);
  });

  it('may be an uploaded asset', async () => {
    const data = `data:image/png;base64,${png}`;
    const asset = (await client.admin('POST', 'assets', { data })).body.id as string;
    const { brand } = await servedWith(await client.flow(branded({ logo: asset })));
    const logo = await open(brand.logo!);
    expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  });

  it('executes nothing of an SVG, even if it is opened by itself', async () => {
    const data = Buffer.from(svg).toString('base64');
    const id = await client.flow(branded({ logo: `data:image/svg+xml;base64,${data}` }));
    const logo = await open((await servedWith(id)).brand.logo!);
    expect(logo.headers.get('content-type')).toBe('image/svg+xml');
    expect(logo.headers.get('content-security-policy')).toMatch(/^default-src 'none';.*sandbox$/);
    expect(logo.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it.each([
    ['a colour by name', { colour: 'red' }, 'colour', '#rrggbb'],
    ['a short colour', { colour: '#12345' }, 'colour', '#rrggbb'],
    ['a colour with more', { colour: '#123456;background:url(//a.example)' }, 'colour', '#rrggbb'],
    ['an address', { logo: 'https://a.example/logo.png' }, 'logo', 'must be the id of an asset'],
    ['a page', { logo: 'data:text/html;base64,PGI+' }, 'logo', 'must be the id of an asset'],
    ['no bytes', { logo: 'data:image/png;base64,' }, 'logo', '64 KB'],
    ['too many bytes', { logo: `data:image/png;base64,${'A'.repeat(100_000)}` }, 'logo', '64 KB'],
    [
      'an asset that is not there',
      { logo: '0190a000-0000-7000-8000-000000000000' },
      'logo',
      'upload the logo',
    ],
    ['another member', { color: '#123456' }, '', 'color'],
    ['a text', 'red', '', 'object'],
  ])('is refused when it is saved, with its path: %s', async (_, brand, member, message) => {
    const { status, body } = await client.admin('POST', 'flows', branded(brand));
    expect([status, body.code]).toEqual([400, 'invalid_flow']);
    const path = ['chat', 'brand', member].filter((part) => part !== '').join('.');
    expect(body.errors[0]).toEqual({ path, message: expect.stringContaining(message) });
  });

  it('has no logo page if there is no logo, or the flow is not public', async () => {
    expect((await open(`/chat/${await client.flow(branded({}))}/logo`)).status).toBe(404);
    const logo = `data:image/png;base64,${png}`;
    const closed = await client.flow(replyFlow('Hello', { chat: { brand: { logo } } }));
    expect((await open(`/chat/${closed}/logo`)).status).toBe(403);
  });

  it('stands in the schema of a definition', async () => {
    const { body } = await client.admin('GET', 'flows/schema');
    expect(Object.keys(body.properties.chat.properties.brand.properties)).toEqual(['colour', 'logo']);
  });
});
