import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib';
import { AppConfig } from '../app-config.js';
import { OutboundHttp, type OutboundRequest } from './outbound-http.js';

describe('an answer that is compressed although nobody asked for it', () => {
  let server: Server;
  let http: OutboundHttp;
  let answer: (response: ServerResponse) => void;

  beforeAll(async () => {
    server = createServer((_request, response) => answer(response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    http = new OutboundHttp(AppConfig.from({ DATA_DIR: '/nowhere', OUTBOUND_ALLOW: `127.0.0.1:${port}` }));
  });
  afterAll(async () => {
    await http.onModuleDestroy();
    server.close().closeAllConnections();
  });

  const request = (more: Partial<OutboundRequest> = {}): OutboundRequest => ({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    maxBytes: 1_000,
    ...more,
  });
  const get = (more?: Partial<OutboundRequest>) => http.request(request(more));
  const send = (encoding: string, body: Buffer | string, status = 200) => {
    answer = (response) =>
      response
        .writeHead(status, { 'content-encoding': encoding, 'content-type': 'application/json' })
        .end(body);
  };
  const text = '{"rent":"£950"}';

  it.each([
    ['gzip', gzipSync(text)],
    ['X-GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
  ])('is read: %s', async (encoding, body) => {
    send(encoding, body);
    const read = await get();
    expect(read.body.toString()).toBe(text);
    expect(read.headers).not.toHaveProperty('content-encoding');
    expect(read.headers).not.toHaveProperty('content-length');
  });

  it('may be an error, or have no body', async () => {
    send('gzip', gzipSync('no such house'), 404);
    expect((await get()).body.toString()).toBe('no such house');
    send('gzip', '', 200);
    expect((await get()).body.toString()).toBe('');
    expect((await get({ method: 'HEAD' })).body.toString()).toBe('');
  });

  it('is limited by what it unpacks to', async () => {
    send('gzip', gzipSync(Buffer.alloc(50_000)));
    await expect(get()).rejects.toThrow("The target's answer is larger than 1000 bytes.");
  });

  it.each([
    ['is none', 'gzip', Buffer.from(text)],
    ['is none', 'br', Buffer.from(text)],
    ['ends too early', 'gzip', gzipSync(text).subarray(0, 20)],
  ])('is refused where it %s: %s', async (_, encoding, body) => {
    send(encoding, body);
    await expect(get()).rejects.toThrow(
      `The target's answer is not the ${encoding} that its Content-Encoding names.`,
    );
  });

  it('stays as it is in an encoding of another kind', async () => {
    send('gzip, br', 'packed twice');
    const read = await get();
    expect(read.body.toString()).toBe('packed twice');
    expect(read.headers['content-encoding']).toBe('gzip, br');
  });

  it('ends its connection as soon as its reader leaves', async () => {
    let closed: Promise<unknown> | undefined;
    answer = (response) => {
      closed = once(response, 'close');
      const packed = createGzip();
      packed.pipe(response.writeHead(200, { 'content-encoding': 'gzip' }));
      packed.write('first');
      packed.flush();
    };
    const { body } = await http.open(request({ timeoutMs: 600_000 }));
    for await (const chunk of body) {
      expect(chunk.toString()).toBe('first');
      break;
    }
    await closed;
  });
});
