import { databases } from '../../../test/support/databases.js';
import { postgresReachable } from '../../../test/support/services.js';
import { StoppedClock } from '../../../test/support/stopped-clock.js';
import { openTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import type { Logger } from '../../common/logger.js';
import type { Tx } from '../tx.js';
import { Sweep } from './sweep.js';
import { accountKey } from './write-keys.js';

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe.each(databases)('a sweep on %s', (kind) => {
  let database: TestDatabase | undefined;
  let clock: StoppedClock;
  let logged: unknown[];

  beforeAll(async () => {
    if (kind === 'postgres' && !(await postgresReachable())) return;
    database = await openTestDatabase(kind, { entities: [] });
    await database.gate.write((tx) => tx.run('CREATE TABLE rows (expires_at bigint NOT NULL)'));
  });
  beforeEach(async () => {
    clock = new StoppedClock();
    logged = [];
    await database?.gate.write((tx) => tx.run('DELETE FROM rows'));
  });
  afterAll(() => database?.close());

  /** Skips aloud (see `postgresReachable`) where the database is absent. */
  const rule = (name: string, body: (database: TestDatabase) => Promise<void>) =>
    it(name, async () => {
      if (database) await body(database);
    });

  const sweepOf = ({ gate }: TestDatabase, remove: (tx: Tx, before: number) => Promise<void>) => {
    const logger = { error: (fields: unknown) => logged.push(fields) } as unknown as Logger;
    return new Sweep(gate, clock, logger, { what: 'rows', everyMs: 10_000, remove });
  };
  const deleting = async (tx: Tx, before: number) => {
    await tx.run('DELETE FROM rows WHERE expires_at < ?', [before]);
  };
  /** Resolves when everything that was asked for before is over. */
  const over = async ({ gate }: TestDatabase) => {
    await gate.write(async () => undefined);
    await later(0);
  };

  rule('is due when the clock was set back', async (db) => {
    let sweeps = 0;
    const sweep = sweepOf(db, async () => void sweeps++);
    for (const advance of [0, 1, -3_600_000, 1]) {
      clock.advance(advance);
      sweep.whenDue();
      await over(db);
    }
    expect(sweeps).toBe(2);
  });

  rule('deletes only what a clock a minute behind has seen expire too', async (db) => {
    const [last, first] = [clock.now() - 60_001, clock.now() - 60_000];
    await db.gate.write((tx) => tx.run('INSERT INTO rows VALUES (?), (?)', [last, first]));
    sweepOf(db, deleting).whenDue();
    await over(db);
    expect(await db.reader.all('SELECT expires_at FROM rows')).toEqual([{ expires_at: first }]);
  });

  rule('is begun once in its time, however often it is asked for', async (db) => {
    let begun = 0;
    const sweep = sweepOf(db, async () => void begun++);
    const ask = async () => {
      for (let call = 0; call < 20; call++) sweep.whenDue();
      await over(db);
    };
    await ask();
    await ask();
    clock.advance(9_999);
    await ask();
    expect(begun).toBe(1);
    clock.advance(1);
    await ask();
    expect(begun).toBe(2);
  });

  rule('waits for the one before it, however long that takes', async (db) => {
    let letGo = () => undefined as void;
    let begun = 0;
    const until = new Promise<void>((resolve) => (letGo = resolve));
    const sweep = sweepOf(db, async () => {
      begun++;
      await until;
    });
    sweep.whenDue();
    clock.advance(10_000);
    sweep.whenDue();
    letGo();
    await over(db);
    expect(begun).toBe(1);
    sweep.whenDue();
    await over(db);
    expect(begun).toBe(2);
  });

  rule('that fails costs nobody else anything, is logged, and is tried again when due', async (db) => {
    let fails = true;
    await db.gate.write((tx) => tx.run('INSERT INTO rows VALUES (0)'));
    const sweep = sweepOf(db, async (tx, before) => {
      await deleting(tx, before);
      if (fails) throw new Error('fails');
    });
    sweep.whenDue();
    const insert = (tx: Tx) => tx.run('INSERT INTO rows VALUES (1)');
    await Promise.all([db.gate.write(insert, []), db.gate.write(insert, [])]);
    await over(db);
    expect(logged).toEqual([{ err: new Error('fails'), what: 'rows' }]);
    const count = async () => (await db.reader.all('SELECT expires_at FROM rows')).length;
    expect(await count()).toBe(3);
    fails = false;
    clock.advance(10_000);
    sweep.whenDue();
    await over(db);
    expect(await count()).toBe(0);
    expect(logged).toHaveLength(1);
  });

  rule('holds up nobody who stops', async (db) => {
    const stopping = await openTestDatabase(kind, { entities: [], place: db.place });
    let begun = 0;
    const sweep = sweepOf(stopping, async () => void begun++);
    sweep.whenDue();
    await stopping.close({ keep: true });
    expect(begun).toBe(1);
    clock.advance(10_000);
    sweep.whenDue();
    await later(10);
    expect(begun).toBe(1);
    expect(logged).toHaveLength(1);
  });

  if (kind === 'postgres') {
    rule('is made beside units that name what they touch', async (db) => {
      let letGo = () => undefined as void;
      const until = new Promise<void>((resolve) => (letGo = resolve));
      await db.gate.write((tx) => tx.run('INSERT INTO rows VALUES (0)'));
      const open = db.gate.write(() => until, [accountKey('a')]);
      await later(20);
      sweepOf(db, deleting).whenDue();
      for (let look = 0; look < 100; look++) {
        if ((await db.reader.all('SELECT expires_at FROM rows')).length === 0) break;
        await later(20);
      }
      expect(await db.reader.all('SELECT expires_at FROM rows')).toEqual([]);
      letGo();
      await open;
    });
  }
});
