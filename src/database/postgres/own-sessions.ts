import type { Client } from 'pg';
import { ConfigError } from '../../common/app-config.js';
import { ConnectionLost } from '../away.js';

/** Further connections that are opened, each of which a pooler may give the server process of the first one. */
const MOST_OTHERS = 4;
const PATIENCE_MS = 10_000;

/** Settings that a connection sends when it is opened, by their names in `pg_settings`. */
type SessionSettings = Readonly<Record<string, string | number>>;

/**
 * Throws `ConfigError` when connections to this address do not have server sessions of their own (PgBouncer in transaction
 * or statement mode, or the like), or when their settings do not arrive. Presence locks, read-only settings and prepared
 * statements belong to a session: without one, calls would be lost long after the start. Throws `ConnectionLost` when no
 * connection can be opened.
 */
export async function requireOwnSessions(url: string, settings: SessionSettings): Promise<void> {
  const open: Client[] = [];
  const another = async (): Promise<Client> => {
    const client = await connected(url, settings);
    open.push(client);
    return client;
  };
  try {
    const first = await another();
    await requireSettings(first, settings);
    const server = await serverOf(first);
    for (let others = 0; others < MOST_OTHERS; others++) {
      const other = await another();
      // Stays in a transaction until the end, so that a pooler cannot take its server process away.
      await other.query('BEGIN');
      if ((await serverOf(other)) === server || (await serverOf(first)) !== server) throw SHARED;
      if (server === announcedServerOf(first)) return;
    }
  } catch (error) {
    throw connectionFault(error);
  } finally {
    await Promise.all(open.map((client) => client.end().catch(() => undefined)));
  }
}

async function connected(url: string, settings: SessionSettings): Promise<Client> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
    options: sessionOptions(settings),
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Returns the `options` of a connection that apply these settings from its first statement on. */
export const sessionOptions = (settings: SessionSettings): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

/** Returns the id of the server process that answers. */
async function serverOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]!.pid;
}

/** Returns the process id that the server announced for cancellation; a pooler announces one of its own. */
const announcedServerOf = (client: Client): number | null =>
  (client as unknown as { processID: number | null }).processID;

/** Throws when settings were dropped. Skips TCP ones, which a Unix socket does not have. */
async function requireSettings(client: Client, settings: SessionSettings): Promise<void> {
  const names = Object.keys(settings).filter((name) => !name.startsWith('tcp_'));
  const { rows } = await client.query<{ name: string; setting: string }>(
    'SELECT name, setting FROM pg_settings WHERE name = ANY ($1)',
    [names],
  );
  const lost = rows.filter(({ name, setting }) => setting !== String(settings[name]));
  if (lost.length > 0)
    throw poolerFault(`drops the settings of a connection (${lost.map(({ name }) => name).join(', ')})`);
}

const poolerFault = (does: string): ConfigError =>
  new ConfigError([
    `DATABASE_URL: a connection pooler (PgBouncer or the like) answers at this address, and it ${does}. Session locks and settings do not work through it. Name the PostgreSQL server itself.`,
  ]);

const SHARED = poolerFault('gives the statements of one connection to several sessions (transaction mode)');

/** SQLSTATE of a protocol violation, which PgBouncer returns for settings and transactions that it does not support. */
const NOT_TAKEN = '08P01';

function connectionFault(error: unknown): unknown {
  if (error instanceof ConfigError) return error;
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code !== NOT_TAKEN) return new ConnectionLost(error);
  return poolerFault(`refuses what a connection needs (${String(message)})`);
}
