import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { ConnectionLost } from '../away.js';
import { PostgresDatabase } from './postgres-database.js';

/** A message of PostgreSQL's protocol (version 3). */
const message = (type: string, content: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
};
const LET_IN = [message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))];
const TERMINATED = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0'));

describe('a connection to PostgreSQL', () => {
  /** After the login the server ends the session, or is silent. */
  let isSilent = false;
  let server: Server;
  const sockets: Socket[] = [];
  let pool: pg.Pool;

  beforeAll(async () => {
    server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.once('data', () =>
        isSilent ? socket.write(Buffer.concat(LET_IN)) : socket.end(Buffer.concat([...LET_IN, TERMINATED])),
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    pool = new pg.Pool({ host: '127.0.0.1', port, user: 'u', password: 'p', database: 'd' });
    pool.on('error', () => undefined);
  });
  afterAll(async () => {
    await pool.end();
    sockets.forEach((socket) => socket.destroy());
    server.close();
  });

  const silent = { logger: { logQuery: () => undefined } };
  const databaseOn = (silenceMs?: number) =>
    new PostgresDatabase({ driver: { master: pool }, ...silent } as unknown as DataSource, 1, silenceMs);

  it('on which the server is silent is given up, and its place in the pool is free again', async () => {
    isSilent = true;
    await expect(databaseOn(100).read('SELECT 1', [])).rejects.toBeInstanceOf(ConnectionLost);
    expect([pool.totalCount, pool.waitingCount]).toEqual([0, 0]);
    isSilent = false;
  });

  // An error that nobody listens to fails the test by itself.
  it('that the server ends in the packet that opened it is lost, and the process goes on', async () => {
    await expect(databaseOn().read('SELECT 1', [])).rejects.toBeInstanceOf(ConnectionLost);
  });
});
