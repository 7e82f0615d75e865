import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppConfig } from '../app-config.js';
import { allowedTargets, isPublicAddress } from './outbound-address.js';
import { OutboundHttp, type OutboundRequest } from './outbound-http.js';

/** Answers from a name server of the test's own. */
class StubbedHttp extends OutboundHttp {
  readonly names: Record<string, string[]> = {};

  protected override async resolve(host: string) {
    const found = this.names[host];
    if (!found) return super.resolve(host);
    return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  }
}

const http = (env: Record<string, string> = {}) =>
  new StubbedHttp(AppConfig.from({ DATA_DIR: '/nowhere', ...env }));

let server: Server;
let other: Server;
let seen: IncomingMessage[] = [];
let answer: (request: IncomingMessage, response: ServerResponse) => void;

const portOf = (one: Server) => (one.address() as AddressInfo).port;
const listen = () =>
  new Promise<Server>((resolve) => {
    const made = createServer((request, response) => {
      seen.push(request);
      answer(request, response);
    });
    made.listen(0, '127.0.0.1', () => resolve(made));
  });

beforeAll(async () => {
  server = await listen();
  other = await listen();
});
afterAll(() => {
  for (const one of [server, other]) one.close().closeAllConnections();
});
beforeEach(() => {
  seen = [];
  answer = (_request, response) => response.end('hello');
});

const open: OutboundHttp[] = [];
const get = (url: string, env: Record<string, string> = {}, more: Partial<OutboundRequest> = {}) => {
  const client = http(env);
  open.push(client);
  return client.request({ url, maxBytes: 1_000, ...more });
};
afterEach(async () => {
  for (const client of open.splice(0)) await client.onModuleDestroy();
});

describe('addresses that are not public', () => {
  it.each([
    ...[
      '127.0.0.1',
      '10.1.2.3',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '0.1.2.3',
    ],
    ...['224.0.0.1', '255.255.255.255', '240.0.0.1', '192.0.0.1', '198.18.0.1', '192.0.2.1', '::', '::1'],
    ...[
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '::127.0.0.1',
      '::8.8.8.8',
      '64:ff9b::7f00:1',
      '64:ff9b:1::7f00:1',
    ],
    ...[
      '2002:7f00:1::',
      '2001:0:7f00:1::',
      'fc00::1',
      'fd12::1',
      'fe80::1',
      'fe80::1%lo',
      'fec0::1',
      'ff02::1',
    ],
    ...['2001:db8::1', '100::1', 'localhost', ''],
  ])('refuses %s', (address) => expect(isPublicAddress(address)).toBe(false));

  it.each(['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111'])('lets %s pass', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  );

  it('reads OUTBOUND_ALLOW as hosts with ports', () => {
    expect([...allowedTargets(['127.0.0.1:9000', 'Intra.Example:8080', '[::1]:70', 'plain', '%%%'])]).toEqual(
      [...['127.0.0.1:9000', 'intra.example:8080', '::1:70', 'plain:80', 'plain:443']],
    );
  });
});

describe('going out', () => {
  it.each([
    ...[
      '127.0.0.1',
      '0x7f.1',
      '2130706433',
      '127.1',
      '0177.0.0.1',
      '[::ffff:127.0.0.1]',
      '[::1]',
      '[::]',
      '0',
    ],
    ...['localhost', 'localhost.', 'LOCALHOST', '127.0.0.1.', '①②⑦.0.0.1', '[::127.0.0.1]', '017700000001'],
  ])('refuses loopback however it is spelled: %s', async (host) => {
    await expect(get(`http://${host}:${portOf(server)}/`)).rejects.toMatchObject({ code: 'fetch_refused' });
    expect(seen).toEqual([]);
  });

  it('refuses a name of which any address is private', async () => {
    const client = http();
    open.push(client);
    client.names['mixed.example'] = ['8.8.8.8', '127.0.0.1'];
    const asked = client.request({ url: `http://mixed.example:${portOf(server)}/`, maxBytes: 10 });
    await expect(asked).rejects.toMatchObject({ code: 'fetch_refused' });
  });

  it('connects to the address that was checked and to no other', async () => {
    const client = http({ OUTBOUND_ALLOW: `inner.example:${portOf(server)}` });
    open.push(client);
    client.names['inner.example'] = ['127.0.0.1'];
    const got = await client.request({ url: `http://inner.example:${portOf(server)}/`, maxBytes: 10 });
    expect(got.body.toString()).toBe('hello');
    expect(seen[0]!.headers.host).toBe(`inner.example:${portOf(server)}`);
  });

  it('reaches a private target that is allowed by host and port, and only that port', async () => {
    const env = { OUTBOUND_ALLOW: `127.0.0.1:${portOf(server)}` };
    expect((await get(`http://127.0.0.1:${portOf(server)}/`, env)).body.toString()).toBe('hello');
    const elsewhere = get(`http://127.0.0.1:${portOf(other)}/`, env);
    await expect(elsewhere).rejects.toMatchObject({ code: 'fetch_refused' });
  });

  it('refuses a redirect to a private address', async () => {
    answer = (_request, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${portOf(other)}/` }).end();
    const asked = get(`http://127.0.0.1:${portOf(server)}/`, {
      OUTBOUND_ALLOW: `127.0.0.1:${portOf(server)}`,
    });
    await expect(asked).rejects.toMatchObject({ code: 'fetch_refused' });
    expect(seen).toHaveLength(1);
  });

  const both = () => ({ OUTBOUND_ALLOW: `127.0.0.1:${portOf(server)},127.0.0.1:${portOf(other)}` });

  it('drops credentials on the way to another origin', async () => {
    answer = (request, response) => {
      if (request.url === '/away')
        response.writeHead(307, { location: `http://127.0.0.1:${portOf(other)}/` }).end();
      else response.end('there');
    };
    const headers = { Authorization: 'Bearer x', 'X-Api-Key': 'y', Accept: 'text/plain', Cookie: 'z' };
    await get(`http://127.0.0.1:${portOf(server)}/away`, both(), { headers });
    expect(seen[0]!.headers).toMatchObject({ authorization: 'Bearer x', 'x-api-key': 'y' });
    expect(seen[1]!.headers).not.toHaveProperty('authorization');
    expect(seen[1]!.headers).not.toHaveProperty('x-api-key');
    expect(seen[1]!.headers).not.toHaveProperty('cookie');
    expect(seen[1]!.headers.accept).toBe('text/plain');
  });

  it.each([
    ['user:pa%20ss+%2B', 'user:pa ss++'],
    ['token', 'token:'],
    ['us%zer:p', 'us%zer:p'],
  ])('sends the login in an address (%s) to its own origin only', async (login, sent) => {
    answer = (request, response) => {
      const location = request.url === '/' ? '/again' : `http://127.0.0.1:${portOf(other)}/`;
      if (request.headers.host!.endsWith(String(portOf(server)))) response.writeHead(302, { location }).end();
      else response.end('there');
    };
    const url = `http://${login}@127.0.0.1:${portOf(server)}/`;
    await get(url, both());
    const basic = `Basic ${Buffer.from(sent).toString('base64')}`;
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([basic, basic, undefined]);
    await get(url, both(), { headers: { Authorization: 'Bearer x' } });
    expect(seen[3]!.headers.authorization).toBe('Bearer x');
  });

  it('follows five redirects and no more', async () => {
    answer = (request, response) => response.writeHead(302, { location: `${request.url}x` }).end();
    await expect(get(`http://127.0.0.1:${portOf(server)}/`, both())).rejects.toMatchObject({
      code: 'fetch_failed',
    });
    expect(seen).toHaveLength(6);
  });

  it('stops an answer that is too large, with or without a length', async () => {
    answer = (_request, response) => {
      response.write('x'.repeat(900));
      response.end('x'.repeat(900));
    };
    await expect(get(`http://127.0.0.1:${portOf(server)}/`, both())).rejects.toMatchObject({
      code: 'fetch_failed',
    });
    answer = (_request, response) => response.end('x'.repeat(1_001));
    await expect(get(`http://127.0.0.1:${portOf(server)}/`, both())).rejects.toMatchObject({
      code: 'fetch_failed',
    });
  });

  it('stops a target that takes too long, and a caller that leaves', async () => {
    answer = () => undefined;
    const slow = get(`http://127.0.0.1:${portOf(server)}/`, both(), { timeoutMs: 50 });
    await expect(slow).rejects.toMatchObject({ code: 'fetch_failed' });
    const signal = AbortSignal.timeout(30);
    const left = get(`http://127.0.0.1:${portOf(server)}/`, both(), { signal });
    await expect(left).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('fetches photographs over https only, with the headers configured for their host', async () => {
    const url = `http://127.0.0.1:${portOf(server)}/`;
    await expect(get(url, both(), { media: true })).rejects.toMatchObject({ code: 'fetch_refused' });
    const env = {
      ...both(),
      FETCH_ALLOW_HTTP: 'true',
      FETCH_HEADERS: '{"127.0.0.1":{"Authorization":"Bearer m"}}',
    };
    await get(url, env, { media: true });
    expect(seen[0]!.headers.authorization).toBe('Bearer m');
    await get(url, env);
    expect(seen[1]!.headers.authorization).toBeUndefined();
  });

  it.each(['file:///etc/passwd', 'ftp://8.8.8.8/', 'javascript:1', 'not a url', 'data:text/plain,x'])(
    'refuses %s',
    async (url) => expect(get(url)).rejects.toMatchObject({ code: 'fetch_refused' }),
  );

  it('refuses an address that is longer than any server accepts', async () => {
    const url = `http://127.0.0.1:1/${'x'.repeat(64 * 1024)}`;
    await expect(get(url, { OUTBOUND_ALLOW: '127.0.0.1:1' })).rejects.toMatchObject({
      code: 'fetch_refused',
    });
  });

  it('says that a target is not there', async () => {
    await expect(get('http://127.0.0.1:1/', { OUTBOUND_ALLOW: '127.0.0.1:1' })).rejects.toMatchObject({
      code: 'fetch_failed',
    });
  });
});
