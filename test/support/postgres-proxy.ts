import pg from 'pg';
import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/**
 * How every connection breaks off at a message: before the server has it, after the server has it (its answer is lost),
 * or by the server's hand (`pg_terminate_backend`), which then has the message no more.
 */
export type Break = 'before' | 'after' | 'terminated';

/** A way to PostgreSQL that can break off at the worst moment. */
export interface PostgresProxy {
  /** The database's address, by way of this proxy. */
  url: string;
  /**
   * The next COMMIT reaches the server, and its answer nobody: the connection breaks off. `passing` many are answered
   * before it.
   */
  loseCommit(passing?: number): void;
  /** Like `loseCommit`, and the answers to what was sent with the COMMIT are lost with its own. */
  loseWholeAnswer(): void;
  /** Like `loseCommit`, and nobody can be asked what became of it before `comeBack`. */
  loseCommitAndGoAway(passing?: number): void;
  /** Breaks every connection off, once, at the message to the server that comes after so many others. */
  breakAt(passing: number, how: Break): void;
  /** Whether a `breakAt` still waits for its message; it is called off then. */
  callOff(): boolean;
  /** Cuts every connection and takes no other until it comes back. */
  goAway(): void;
  /** Takes no new connection until it comes back; those that are open stay. */
  refuse(): void;
  /** Keeps all back that is sent either way, without breaking anything off, until it comes back. */
  freeze(): void;
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
  let whole = false;
  let breaking: { passing: number; how: Break } | undefined;
  const cutAll = () => open.forEach((socket) => socket.destroy());
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
      if (breaking && breaking.passing-- === 0) {
        const { how } = breaking;
        breaking = undefined;
        if (how === 'before') return cutAll();
        if (how === 'after') return void upstream.write(chunk, () => setTimeout(cutAll, 30));
        client.pause();
        return void terminateAll(databaseUrl).then(() => {
          upstream.write(chunk);
          client.resume();
        });
      }
      if (passing !== undefined && chunk.includes('COMMIT\0') && passing-- === 0) {
        passing = undefined;
        losing = true;
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => {
      // Everything before the answer to COMMIT goes on its way: the caller only never hears of the end.
      if (!losing || !(whole || chunk.includes('COMMIT\0'))) return void client.write(chunk);
      whole = false;
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
    loseWholeAnswer: () => {
      passing = 0;
      whole = true;
    },
    goAway: () => {
      away = true;
      cutAll();
    },
    breakAt: (count, how) => (breaking = { passing: count, how }),
    callOff: () => {
      const waited = breaking !== undefined;
      breaking = undefined;
      return waited;
    },
    loseCommitAndGoAway: (count = 0) => {
      passing = count;
      leaving = true;
    },
    refuse: () => (away = true),
    freeze: () => open.forEach((socket) => socket.pause()),
    comeBack: () => {
      away = leaving = false;
      for (const socket of open) socket.resume();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cutAll();
      }),
  };
  return proxy;
}

const EVERY_OTHER = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

/** Ends every session of the database by the server's hand. */
export async function terminateAll(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // Two of these at once end each other's session too.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(EVERY_OTHER).catch(() => undefined);
  await client.end();
}

const SPEAKERS = `SELECT pg_terminate_backend(pid) FROM pg_locks
  WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** Ends by the server's hand every session that says that a process lives. */
export async function terminateSpeakers(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(SPEAKERS);
  await client.end();
}
