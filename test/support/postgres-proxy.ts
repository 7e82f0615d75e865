import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { eventually } from './eventually.js';

/**
 * The way in which all connections break at a message: before the server receives it, after it (the answer is lost), or
 * terminated by the server (`pg_terminate_backend`), which then does not receive it.
 */
export type Break = 'before' | 'after' | 'terminated';

/** A proxy in front of PostgreSQL that breaks connections at the worst moment. */
export interface PostgresProxy {
  /** The database's address through this proxy. */
  url: string;
  /**
   * Breaks the connection when the next COMMIT has reached the server, so that its answer is lost. `passing` COMMITs
   * are answered first.
   */
  loseCommit(passing?: number): void;
  /** Like `loseCommit`, but passes on this many answers to the messages sent together with the COMMIT. */
  loseAnswersWith(heard: number): void;
  /** Like `loseCommit`, and takes no connection before `comeBack`, so that nobody can look up the outcome. */
  loseCommitAndGoAway(passing?: number): void;
  /** Like `loseCommit`, and every open connection is silent from then on. */
  loseCommitAndFreeze(passing?: number): void;
  /** Breaks all connections once, at the message to the server that follows this many others. */
  breakAt(passing: number, how: Break): void;
  /** Cancels a waiting `breakAt`; returns true if one was waiting. */
  callOff(): boolean;
  /** Cuts every connection and accepts none until `comeBack`. */
  goAway(): void;
  /** Accepts no new connection until `comeBack`; open ones stay. */
  refuse(): void;
  /** Holds back all data in both directions until `comeBack`, without breaking connections. */
  freeze(): void;
  comeBack(): void;
  /** Lost answers to COMMITs so far. */
  lost: number;
  /** Resolves when no COMMIT has been sent for this long, so that background writes are done. */
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
      // Forwards everything before the answer to COMMIT, so that only the outcome is lost.
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

/** Returns the offset at which this many answers of the server end, each with its ReadyForQuery. */
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

/** Terminates every session of the database on the server. */
export async function terminateAll(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // Two of these at once terminate each other's sessions too.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(EVERY_OTHER).catch(() => undefined);
  await client.end();
}

const SPEAKERS = `SELECT pg_terminate_backend(pid) FROM pg_locks
  WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** Terminates every session that announces a living process. */
export async function terminateSpeakers(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(SPEAKERS);
  await client.end();
}
