import pg from 'pg';
import { startChild } from '../../test/support/child-process.js';
import { databases, makePlace } from '../../test/support/databases.js';
import { eventually } from '../../test/support/eventually.js';
import { postgresReachable } from '../../test/support/services.js';
import { openTestDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { WRITER_LOCK } from './postgres/postgres-gate.js';

describe.each(databases)('several processes on one %s database', (kind) => {
  it('start at once and lose no write of each other', async () => {
    if (kind === 'postgres' && !(await postgresReachable())) return;
    const place = await makePlace(kind);
    const database = await openTestDatabase(kind, { place });
    await database.gate.write(async (tx) => {
      await tx.run('CREATE TABLE counters (name text PRIMARY KEY NOT NULL, value integer NOT NULL)');
      await tx.run(`INSERT INTO counters VALUES ('c', 0)`);
    });
    const children = [1, 2, 3].map(() =>
      startChild('database-child.ts', [place.databaseUrl, place.dataDir, 'add', '40']),
    );
    const names = await Promise.all(children.map((child) => child.firstLine));
    expect(new Set([database.presence.id, ...names]).size).toBe(4);
    expect(await Promise.all(children.map((child) => child.exit))).toEqual([0, 0, 0]);
    expect(await database.reader.one('SELECT value FROM counters')).toEqual({ value: 120 });
    await database.close();
  });

  it('know that a process is gone when it was killed, and not while it lives', async () => {
    if (kind === 'postgres' && !(await postgresReachable())) return;
    const database = await openTestDatabase(kind);
    const { place } = database;
    const { child, firstLine, exit } = startChild('database-child.ts', [
      place.databaseUrl,
      place.dataDir,
      'stay',
    ]);
    const name = await firstLine;
    expect(await database.presence.isGone(name)).toBe(false);
    expect(await database.presence.isGone(database.presence.id)).toBe(false);
    child.kill('SIGKILL');
    await exit;
    await eventually(() => database.presence.isGone(name));
    expect(await database.presence.isGone(database.presence.id)).toBe(false);
    await database.close();
  });

  it('take the place of a process that ended, and call its earlier holder gone', async () => {
    if (kind === 'postgres' && !(await postgresReachable())) return;
    const first = await openTestDatabase(kind);
    const earlier = first.presence.id;
    await first.close({ keep: true });
    const second = await openTestDatabase(kind, { place: first.place });
    expect(second.presence.id).not.toBe(earlier);
    await eventually(() => second.presence.isGone(earlier));
    await eventually(() => second.presence.isGone('no such process'));
    await second.close();
  });
});

/** The sessions that say that a process lives. */
const SPEAKERS = `SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
  WHERE datname = current_database() AND locktype = 'advisory' AND granted`;

describe('processes on one PostgreSQL database', () => {
  let database: TestDatabase | undefined;

  beforeEach(async () => {
    if (!(await postgresReachable())) return;
    database = await openTestDatabase('postgres');
    await database.gate.write(async (tx) => {
      await tx.run('CREATE TABLE counters (name text PRIMARY KEY NOT NULL, value integer NOT NULL)');
      await tx.run(`INSERT INTO counters VALUES ('c', 0)`);
    });
  });

  afterEach(() => database?.close());

  /** Skips aloud (see `postgresReachable`) where the database is absent. */
  const rule = (name: string, body: (database: TestDatabase) => Promise<void>) =>
    it(name, async () => {
      if (database) await body(database);
    });

  const raise = ({ gate }: TestDatabase) =>
    gate.write((tx) => tx.run(`UPDATE counters SET value = value + 1 WHERE name = 'c'`));
  const value = async ({ reader }: TestDatabase) =>
    (await reader.one<{ value: number }>('SELECT value FROM counters'))!.value;
  const clientOf = async ({ place }: TestDatabase) => {
    const client = new pg.Client({ connectionString: place.databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };

  rule('go on when one of them stands still in the middle of a transaction', async (db) => {
    const { databaseUrl, dataDir } = db.place;
    const { child, firstLine, exit } = startChild('database-child.ts', [databaseUrl, dataDir, 'hold']);
    await firstLine;
    child.kill('SIGSTOP');
    await raise(db);
    expect(await value(db)).toBe(1);
    child.kill('SIGKILL');
    await exit;
  });

  rule('say that the database is busy when something else keeps the turn of the writers', async (db) => {
    await raise(db);
    const other = await clientOf(db);
    await other.query('BEGIN');
    await other.query(`SELECT pg_advisory_xact_lock(${WRITER_LOCK})`);
    await expect(raise(db)).rejects.toMatchObject({ status: 503, code: 'overloaded' });
    await other.query('ROLLBACK');
    await other.end();
    await raise(db);
    expect(await value(db)).toBe(2);
  });

  rule('are not taken for gone when the connection that speaks for them breaks off', async (db) => {
    const { databaseUrl, dataDir } = db.place;
    const other = await clientOf(db);
    const speakers = async () => (await other.query<{ pid: number }>(SPEAKERS)).rows.map(({ pid }) => pid);
    const own = await speakers();
    const theirs = async () => (await speakers()).filter((pid) => !own.includes(pid));
    const { child, firstLine, exit } = startChild('database-child.ts', [databaseUrl, dataDir, 'stay']);
    const name = await firstLine;
    let held: number[] = [];
    for (let turn = 0; turn < 5; turn++) {
      await eventually(async () => (held = await theirs()).length === 1);
      await other.query('SELECT pg_terminate_backend($1)', held);
      expect(await db.presence.isGone(name)).toBe(false);
    }
    child.kill('SIGKILL');
    await exit;
    await eventually(() => db.presence.isGone(name));
    await other.end();
  });
});
