import { Column, Entity, PrimaryColumn } from 'typeorm';
import { databases } from '../../../test/support/databases.js';
import { postgresReachable } from '../../../test/support/services.js';
import { openTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';

@Entity('things')
class Thing {
  @PrimaryColumn('text') id!: string;
  @Column('text') name!: string;
}

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe.each(databases)('the write gate on %s', (kind) => {
  let database: TestDatabase | undefined;

  beforeAll(async () => {
    if (kind === 'postgres' && !(await postgresReachable())) return;
    database = await openTestDatabase(kind, { entities: [Thing] });
    await database.gate.write(async (tx) => {
      await tx.run('CREATE TABLE things (id text PRIMARY KEY NOT NULL, name text NOT NULL)');
      await tx.run('CREATE TABLE counters (name text PRIMARY KEY NOT NULL, value integer NOT NULL)');
    });
  });

  afterAll(() => database?.close());

  /** Skips aloud (see `postgresReachable`) where the database is absent. */
  const rule = (name: string, body: (database: TestDatabase) => Promise<void>) =>
    it(name, async () => {
      if (!database) return;
      await database.gate.write(async (tx) => {
        await tx.run('DELETE FROM things');
        await tx.run('DELETE FROM counters');
      });
      await body(database);
    });

  const names = async ({ reader }: TestDatabase) =>
    (await reader.all<{ name: string }>('SELECT name FROM things ORDER BY name')).map((row) => row.name);

  rule('writes a text with a NUL in it, which somebody outside has said', async (db) => {
    await db.gate.write(async (tx) => {
      await tx.run('INSERT INTO things VALUES (?, ?)', ['a\0', 'b\0c']);
      await tx.repository(Thing).insert({ id: 'z', name: 'd\0' });
    });
    const nul = kind === 'postgres' ? '\ufffd' : '\0';
    expect(await names(db)).toEqual([`b${nul}c`, `d${nul}`]);
    const found = await db.reader.one<{ name: string }>('SELECT name FROM things WHERE id = ?', ['a\0']);
    expect(found).toEqual({ name: `b${nul}c` });
  });

  rule('keeps what A wrote while B, open at the same time, fails', async (db) => {
    const a = db.gate.write(async (tx) => {
      await tx.run(`INSERT INTO things VALUES ('a1', 'a1')`);
      await later(20);
      await tx.run(`INSERT INTO things VALUES ('a2', 'a2')`);
    });
    const b = db.gate.write(async (tx) => {
      await tx.run(`INSERT INTO things VALUES ('b1', 'b1')`);
      await later(20);
      throw new Error('B fails');
    });
    await expect(b).rejects.toThrow('B fails');
    await a;
    expect(await names(db)).toEqual(['a1', 'a2']);
  });

  rule('keeps a plain insert that was acknowledged while another unit fails', async (db) => {
    const failing = db.gate.write(async (tx) => {
      await tx.run(`INSERT INTO things VALUES ('x', 'x')`);
      await later(30);
      throw new Error('fails');
    });
    await later(5);
    const plain = db.gate.write((tx) => tx.run(`INSERT INTO things VALUES ('p', 'p')`));
    await expect(failing).rejects.toThrow('fails');
    expect(await plain).toBe(1);
    expect(await names(db)).toEqual(['p']);
  });

  rule('loses none of twenty concurrent read-modify-writes', async (db) => {
    await db.gate.write((tx) => tx.run(`INSERT INTO counters VALUES ('c', 0)`));
    const add = () =>
      db.gate.write(async (tx) => {
        const row = await tx.one<{ value: number }>(`SELECT value FROM counters WHERE name = 'c'`);
        await later(1);
        await tx.run(`UPDATE counters SET value = ? WHERE name = 'c'`, [row!.value + 1]);
      });
    await Promise.all(Array.from({ length: 20 }, add));
    expect(await db.reader.one(`SELECT value FROM counters`)).toEqual({ value: 20 });
  });

  rule('fails a unit by a statement that it sent without waiting, alone and beside others', async (db) => {
    const insert = (id: string, name: string | null) =>
      db.gate.write((tx) => tx.send('INSERT INTO things VALUES (?, ?)', [id, name]));
    const goesOn = () =>
      db.gate.write(async (tx) => {
        await tx.send('INSERT INTO things VALUES (?, ?)', ['x', null]);
        await tx.run(`INSERT INTO things VALUES ('y', 'y')`);
      });
    await insert('1', 'one');
    await expect(insert('2', null)).rejects.toThrow(/not.null/i);
    await expect(goesOn()).rejects.toThrow(/not.null/i);
    const units = [insert('3', 'three'), insert('4', null), goesOn(), insert('5', 'two')];
    const results = await Promise.allSettled(units);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    for (const result of results)
      if (result.status === 'rejected') expect(String(result.reason)).toMatch(/not.null/i);
    expect(await names(db)).toEqual(['one', 'three', 'two']);
  });

  rule('undoes a failing insert of a repository alone, beside good ones', async (db) => {
    const insert = (id: string, name: string | null) =>
      db.gate.write((tx) => tx.repository(Thing).insert({ id, name: name! }));
    const results = await Promise.allSettled([
      insert('1', 'one'),
      insert('2', null),
      insert('3', 'three'),
      db.gate.write((tx) => tx.run(`INSERT INTO things VALUES ('1', 'one again')`)),
      insert('4', 'two'),
    ]);
    expect(results.map((result) => result.status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(await names(db)).toEqual(['one', 'three', 'two']);
  });

  rule('keeps exactly the good units of a group, wherever the failing ones stand', async (db) => {
    const unit = (name: string, fails: boolean) =>
      db.gate.write(async (tx) => {
        await tx.run('INSERT INTO things VALUES (?, ?)', [name, name]);
        if (fails) throw new Error(name);
      });
    for (const [index, pattern] of ['--x', 'x--', '-xx-', 'xx', 'x-x-x', 'xxx-'].entries()) {
      const marks = [...pattern];
      await Promise.allSettled(marks.map((mark, place) => unit(`${index}${place}`, mark === 'x')));
      const kept = marks.flatMap((mark, place) => (mark === '-' ? [`${index}${place}`] : []));
      expect((await names(db)).filter((name) => name.startsWith(String(index)))).toEqual(kept);
    }
  });

  rule('acknowledges a unit only after it is durable for every reader', async (db) => {
    await db.gate.write((tx) => tx.run(`INSERT INTO things VALUES ('d', 'd')`));
    expect(await names(db)).toEqual(['d']);
  });

  rule('leaves writes outside of it to be refused by the database itself', async (db) => {
    const refused = /readonly|read-only/i;
    await expect(db.dataSource.query(`INSERT INTO things VALUES ('o', 'o')`)).rejects.toThrow(refused);
    await expect(db.dataSource.getRepository(Thing).save({ id: 'o', name: 'o' })).rejects.toThrow(refused);
    await expect(db.reader.all(`DELETE FROM things`)).rejects.toThrow(refused);
    await expect(
      db.dataSource.transaction((manager) => manager.query(`INSERT INTO things VALUES ('o', 'o')`)),
    ).rejects.toThrow(refused);
    expect(await names(db)).toEqual([]);
  });

  rule('refuses a unit that writes after it has ended', async (db) => {
    const leaked = await db.gate.write(async (tx) => tx);
    await expect(leaked.run(`INSERT INTO things VALUES ('l', 'l')`)).rejects.toThrow('has ended');
    const things = leaked.repository(Thing);
    await expect(things.insert({ id: 'l', name: 'l' })).rejects.toThrow('has ended');
  });

  rule('gives repositories that read at once what was acknowledged before', async (db) => {
    await db.gate.write((tx) => tx.repository(Thing).insert({ id: '1', name: 'one' }));
    for (const read of [() => db.reader.repository(Thing).find(), () => db.dataSource.manager.find(Thing)]) {
      const found = await Promise.all(Array.from({ length: 50 }, read));
      expect(found.every((things) => things.length === 1)).toBe(true);
    }
  });

  rule('gives a unit repositories of its own transaction', async (db) => {
    const unit = db.gate.write(async (tx) => {
      const things = tx.repository(Thing);
      await things.insert({ id: 'r', name: 'one' });
      expect(await things.update({ id: 'r', name: 'one' }, { name: 'two' })).toMatchObject({ affected: 1 });
      expect(await things.update({ id: 'r', name: 'one' }, { name: 'three' })).toMatchObject({ affected: 0 });
      expect(await things.findOneBy({ id: 'r' })).toEqual({ id: 'r', name: 'two' });
      expect(await db.reader.repository(Thing).find()).toEqual([]);
      throw new Error('undone');
    });
    await expect(unit).rejects.toThrow('undone');
    expect(await db.reader.repository(Thing).find()).toEqual([]);
  });

  if (kind === 'postgres') {
    rule('says that the database is away when it leaves a statement without an answer', async (db) => {
      const silent = db.gate.write((tx) => tx.all('SELECT pg_sleep(17)'));
      await expect(silent).rejects.toMatchObject({ status: 503, code: 'overloaded' });
      await db.gate.write((tx) => tx.run(`INSERT INTO things VALUES ('s', 's')`));
      expect(await names(db)).toEqual(['s']);
    });

    rule('goes on with a fresh connection when its own was ended', async (db) => {
      const row = await db.gate.write((tx) => tx.one<{ pid: number }>('SELECT pg_backend_pid() AS pid'));
      await db.reader.all('SELECT pg_terminate_backend(?)', [row!.pid]);
      await later(50);
      await db.gate.write((tx) => tx.run(`INSERT INTO things VALUES ('f', 'f')`));
      expect(await names(db)).toEqual(['f']);
    });

    rule('leaves no settings of its own to readers when it gives up a connection', async (db) => {
      const failed = db.gate.write((tx) => tx.run('INSERT INTO nowhere VALUES (1)').catch(() => undefined));
      await expect(failed).rejects.toThrow('rolled back');
      const read = () => db.reader.one("SELECT current_setting('enable_seqscan') AS scans");
      expect(await Promise.all([read(), read(), read()])).toEqual(Array(3).fill({ scans: 'on' }));
    });
  }
});

describe('the write gate', () => {
  it('takes no more writes once the service has stopped', async () => {
    const database = await openTestDatabase('sqlite');
    await database.gate.beforeApplicationShutdown();
    await expect(database.gate.write((tx) => tx.run('SELECT 1'))).rejects.toThrow('stopped');
    await database.close();
  });

  it('says that SQLite is full when that has rolled the whole transaction back', async () => {
    const database = await openTestDatabase('sqlite');
    const { gate, reader } = database;
    await gate.write((tx) => tx.run('CREATE TABLE things (name text NOT NULL)'));
    const [size] = await gate.write((tx) => tx.all<{ page_count: number }>('PRAGMA page_count'));
    await gate.write((tx) => tx.all(`PRAGMA max_page_count = ${size!.page_count + 2}`));
    const insert = (name: string) => gate.write((tx) => tx.run('INSERT INTO things VALUES (?)', [name]));
    const large = 'x'.repeat(100_000);
    const full = { status: 503, code: 'overloaded', cause: { code: 'SQLITE_FULL' } };
    await expect(insert(large)).rejects.toMatchObject(full);
    for (const result of await Promise.allSettled(['a', large, 'b'].map(insert)))
      expect(result).toMatchObject({ status: 'rejected', reason: full });
    await insert('c');
    expect(await reader.all('SELECT name FROM things')).toEqual([{ name: 'c' }]);
    await database.close();
  });
});
