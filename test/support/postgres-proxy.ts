import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { eventually } from './eventually.js';

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
  /** Like `loseCommit`, and of the answers to what was sent with the COMMIT no more than so many are heard. */
  loseAnswersWith(heard: number): void;
  /** Like `loseCommit`, and nobody can be asked what became of it before `comeBack`. */
  loseCommitAndGoAway(passing?: number): void;
  /** Like `loseCommit`, and every connection that is open then is silent from then on. */
  loseCommitAndFreeze(passing?: number): void;
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
  /** Resolves when no COMMIT has been sent for so long: whatever the service writes by itself has been written. */
  quiet(ms: number): Promise<void>;
  close(): Promise<void>;
}

export async function startPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  let passing: number | undefined;
  let committedAt = 0;
  let away = false;
  let leaving: (() => void) | undefined;
  let heard: number | undefined;
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
      if (chunk.includes('COMMIT\0')) {
        committedAt = performance.now();
        if (passing !== undefined && passing-- === 0) {
          passing = undefined;
          losing = true;
        }
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => {
      // Everything before the answer to COMMIT goes on its way: the caller only never hears of the end.
      if (!losing || (heard === undefined && !chunk.includes('COMMIT\0'))) return void client.write(chunk);
      proxy.lost++;
      leaving?.();
      client.end(chunk.subarray(0, endOfAnswers(chunk, heard ?? 0)), () => client.destroy());
      heard = undefined;
      losing = false;
      upstream.pause();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy: PostgresProxy = {
    url: url.toString(),
    lost: 0,
    quiet: (ms) => {
      const from = performance.now();
      return eventually(() => performance.now() - Math.max(from, committedAt) > ms);
    },
    loseCommit: (count = 0) => (passing = count),
    loseAnswersWith: (count) => {
      passing = 0;
      heard = count;
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
      leaving = () => proxy.goAway();
    },
    loseCommitAndFreeze: (count = 0) => {
      passing = count;
      leaving = () => proxy.freeze();
    },
    refuse: () => (away = true),
    freeze: () => open.forEach((socket) => socket.pause()),
    comeBack: () => {
      away = false;
      leaving = undefined;
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

/** Where the first so many answers end in what the server sent: each with its ReadyForQuery. */
function endOfAnswers(sent: Buffer, count: number): number {
  let end = 0;
  for (let left = count; left > 0 && end + 5 <= sent.length;) {
    if (sent[end] === 'Z'.charCodeAt(0)) left--;
    end += 1 + sent.readInt32BE(end + 1);
  }
  return Math.min(end, sent.length);
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
