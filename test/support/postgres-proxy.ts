import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A way to PostgreSQL that can break off at the worst moment. */
export interface PostgresProxy {
  /** The database's address, by way of this proxy. */
  url: string;
  /**
   * The next COMMIT reaches the server, and its answer nobody: the connection breaks off. `passing` many are answered
   * before it.
   */
  loseCommit(passing?: number): void;
  /** Like `loseCommit`, and nobody can be asked what became of it before `comeBack`. */
  loseCommitAndGoAway(passing?: number): void;
  /** Cuts every connection and takes no other until it comes back. */
  goAway(): void;
  comeBack(): void;
  /** Answers of a COMMIT that were lost so far. */
  lost: number;
  close(): Promise<void>;
}

export async function startPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  let passing: number | undefined;
  let away = false;
  let leaving = false;
  const server = createServer((client) => {
    if (away) return void client.destroy();
    const upstream = connect(Number(target.port || 5432), target.hostname);
    let losing = false;
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (chunk: Buffer) => {
      if (passing !== undefined && chunk.includes('COMMIT\0') && passing-- === 0) {
        passing = undefined;
        losing = true;
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => {
      // Everything before the answer to COMMIT goes on its way: the caller only never hears of the end.
      if (!losing || !chunk.includes('COMMIT\0')) return void client.write(chunk);
      proxy.lost++;
      if (leaving) proxy.goAway();
      client.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy: PostgresProxy = {
    url: url.toString(),
    lost: 0,
    loseCommit: (count = 0) => (passing = count),
    goAway: () => {
      away = true;
      for (const socket of open) socket.destroy();
    },
    loseCommitAndGoAway: (count = 0) => {
      passing = count;
      leaving = true;
    },
    comeBack: () => (away = leaving = false),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
  return proxy;
}
