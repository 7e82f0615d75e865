import express from 'express';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { UnreadAnswers } from './unread-answers.js';

const MEGABYTE = 1024 * 1024;

describe('answers that their clients do not read', () => {
  let unread: UnreadAnswers;
  let server: Server;
  let sockets: Socket[];
  let ended: { closed: number };

  beforeEach(async () => {
    unread = new UnreadAnswers();
    sockets = [];
    ended = { closed: 0 };
    const here = ended;
    const app = express().use(unread.watch);
    app.get('/json', (_, response) => void response.type('json').send('x'.repeat(20 * MEGABYTE)));
    app.get('/events', (_, response) => {
      response.type('text/event-stream').flushHeaders();
      response.write('x'.repeat(20 * MEGABYTE));
    });
    server = createServer(app).listen(0, '127.0.0.1');
    server.on('connection', (socket) => socket.once('close', () => here.closed++));
    await once(server, 'listening');
  });

  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    unread.onModuleDestroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  /** A client that asks and reads nothing. */
  const ask = async (path: string) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
    sockets.push(socket.on('error', () => undefined));
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await wait(100);
    return socket;
  };

  /** Waits until so many connections are closed. */
  const closed = async (count: number) => {
    for (let waited = 0; ended.closed < count && waited < 5_000; waited += 10) await wait(10);
    expect(ended.closed).toBe(count);
  };

  it('are closed when no byte was taken for six looks', async () => {
    await ask('/json');
    for (let look = 0; look < 6; look++) unread.look();
    await wait(50);
    expect(ended.closed).toBe(0);
    // The kernel takes some more of it at first.
    for (let look = 0; look < 60 && ended.closed === 0; look++) {
      await wait(50);
      unread.look();
    }
    await closed(1);
  });

  it('are not closed while some of it is taken, however little', async () => {
    const socket = await ask('/json');
    for (let look = 0; look < 20; look++) {
      unread.look();
      socket.resume();
      for (let read = 0; read < MEGABYTE / 2;) read += ((await once(socket, 'data')) as [Buffer])[0].length;
      socket.pause();
      await wait(20);
    }
    expect(ended.closed).toBe(0);
  });

  it('have only so many bytes of one address: the next is closed at once', async () => {
    for (let answer = 0; answer < 3; answer++) await ask('/json');
    expect(ended.closed).toBe(0);
    await ask('/json');
    await closed(1);
    sockets[0]!.destroy();
    await closed(2);
    await ask('/json');
    await wait(100);
    expect(ended.closed).toBe(2);
  });

  it('are left to their own rule where they are streams of events', async () => {
    await ask('/events');
    for (let look = 0; look < 10; look++) unread.look();
    await wait(50);
    expect(ended.closed).toBe(0);
  });
});
