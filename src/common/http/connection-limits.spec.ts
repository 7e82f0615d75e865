import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../../test/support/eventually.js';
import { RawConnection } from '../../../test/support/raw-connection.js';
import { boundConnections, limitConnections } from './connection-limits.js';

const HEADERS_MS = 300;

describe('a connection', () => {
  let server: Server;
  let call: RawConnection;
  let closed: boolean;

  const listen = async () => {
    server = createServer((request, response) => {
      request.resume();
      response.end('here');
    });
    boundConnections(server);
    server.headersTimeout = HEADERS_MS;
    Object.assign(server, { connectionsCheckingInterval: 20 });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    call = await RawConnection.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    closed = false;
    call.socket.once('close', () => (closed = true));
  };

  beforeEach(listen);

  afterEach(() => {
    call.close();
    server.closeAllConnections();
    server.close();
  });

  it('has thirty seconds for its headers, and rests longer than a proxy keeps it', () => {
    const fresh = createServer();
    boundConnections(fresh);
    expect(fresh.headersTimeout).toBe(30_000);
    expect(fresh.keepAliveTimeout).toBe(75_000);
    expect(fresh).toMatchObject({ connectionsCheckingInterval: 1_000 });
  });

  it('that sends nothing is closed without a word', async () => {
    await eventually(() => closed);
    expect(call.text).toBe('');
  });

  it('whose headers drip is answered 408 in the one error shape', async () => {
    call.send('POST / HTTP/1.1\r\n');
    const dripping = setInterval(() => call.send('X: y\r\n'), 20);
    expect(await call.refusal()).toEqual([408, 'request_timeout']);
    expect(call.text).toContain('Content-Type: application/problem+json');
    await eventually(() => closed);
    clearInterval(dripping);
  });

  it('that rests between two calls goes on', async () => {
    call.begin('GET', '/', {});
    await eventually(() => call.text.includes('here'));
    await pause(3 * HEADERS_MS);
    call.begin('GET', '/', {});
    await eventually(() => call.statuses.length === 2);
    expect(call.statuses).toEqual([200, 200]);
  });

  it('whose second call never gets through its headers is answered 408 as well', async () => {
    call.begin('GET', '/', {});
    await eventually(() => call.text.includes('here'));
    call.send('GET / HTTP');
    await eventually(() => call.statuses.length === 2);
    expect(call.statuses).toEqual([200, 408]);
  });

  it.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['headers without end', `GET / HTTP/1.1\r\nX: ${'y'.repeat(100_000)}\r\n\r\n`],
  ])('on which %s comes is answered in the one error shape', async (_, sent) => {
    call.send(sent);
    expect(await call.refusal()).toEqual([400, 'invalid_request']);
    await eventually(() => closed);
  });
});

describe('open connections', () => {
  let server: Server;
  let sockets: Socket[];

  beforeEach(() => {
    sockets = [];
    server = createServer((_, response) => response.end('answered'));
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });

  const listen = async (behindProxy: boolean) => {
    limitConnections(server, behindProxy, { share: 2, total: 3 });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  };

  /** Opens a connection from an address and calls; the text of the answer, empty where it was closed. */
  const call = async (localAddress: string) => {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined);
    sockets.push(socket);
    let text = '';
    socket.setEncoding('utf8').on('data', (piece) => (text += piece.toString()));
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise<void>((resolve) => {
      socket.once('close', () => resolve());
      socket.on('data', () => text.endsWith('answered') && resolve());
    });
    return text.slice(-8);
  };

  it('are closed beyond the share of an address, and beyond the total', async () => {
    await listen(false);
    expect([await call('127.0.0.1'), await call('127.0.0.1'), await call('127.0.0.1')]).toEqual([
      'answered',
      'answered',
      '',
    ]);
    expect([await call('127.0.0.2'), await call('127.0.0.3')]).toEqual(['answered', '']);
    sockets[0]!.destroy();
    await once(sockets[0]!, 'close');
    while ((await call('127.0.0.2')) === '') await pause(5);
  });

  it('have no share where they are those of a proxy', async () => {
    await listen(true);
    const answers = [];
    for (let index = 0; index < 4; index++) answers.push(await call('127.0.0.1'));
    expect(answers).toEqual(['answered', 'answered', 'answered', '']);
  });
});
