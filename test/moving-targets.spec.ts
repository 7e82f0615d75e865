import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { migrations } from '../src/database/migrations/migrations.js';
import { dataSourceOptions, sqliteFile } from '../src/database/open/data-source.js';
import { migrate } from '../src/database/open/migrate.js';
import { databases, makePlace, type TestPlace } from './support/databases.js';
import { flowiseFlow, makeFlowiseDatabase, makeFlowiseFile, moveInto } from './support/flowise.js';
import { postgresReachable } from './support/services.js';

const ROWS = { chat_flow: [flowiseFlow({ name: 'moved' })] };
const CAME = /^flows +1 +0 +0 +0$/m;

describe.each(databases)('an import into a %s database', (kind) => {
  let place: TestPlace | undefined;
  let args: string[];

  beforeEach(async () => {
    if (kind === 'postgres' && !(await postgresReachable())) return;
    place = await makePlace(kind);
    args = ['--database', join(place.dataDir, 'flowise.sqlite')];
    await makeFlowiseFile(args[1]!, ROWS);
  });
  afterEach(async () => {
    await place?.remove();
    place = undefined;
  });

  const on = (name: string, test: (place: TestPlace) => Promise<void>) =>
    it(name, async () => {
      if (place) await test(place);
    });

  async function ask<Row>(sql: string, count = migrations.length): Promise<Row[]> {
    const dataSource = new DataSource({
      ...dataSourceOptions(place!.databaseUrl),
      migrations: migrations.slice(0, count),
    });
    await dataSource.initialize();
    try {
      if (count < migrations.length) await dataSource.runMigrations({ transaction: 'all' });
      return await dataSource.query(sql);
    } finally {
      await dataSource.destroy();
    }
  }

  on('of an older version names the remedy in a dry run, and migrates it otherwise', async (place) => {
    await ask('SELECT 1', 4);
    const names = () => ask<{ name: string }>('SELECT name FROM migrations');
    const dry = await moveInto(place, [...args, '--dry-run']);
    expect([dry.code, dry.out]).toEqual([2, '']);
    expect(dry.wrong).toMatch(/is of an older version of the service.*start this version once/);
    expect(dry.wrong).not.toMatch(/SELECT|SQLITE|column|relation/);
    expect(await names()).toHaveLength(4);
    expect(await moveInto(place, args)).toMatchObject({ code: 0, out: expect.stringMatching(CAME) });
    expect(await names()).toHaveLength(migrations.length);
    expect(await moveInto(place, [...args, '--dry-run'])).toMatchObject({ code: 0 });
  });

  on('of a newer version writes nothing and says so, in a dry run and without', async (place) => {
    await migrate(place.databaseUrl);
    await ask(
      `INSERT INTO migrations (timestamp, name) VALUES (9900000000000, 'FromTheFuture9900000000000')`,
    );
    for (const more of [['--dry-run'], []]) {
      const { code, out, wrong } = await moveInto(place, [...args, ...more]);
      expect([code, out]).toEqual([2, '']);
      expect(wrong).toMatch(
        /Nothing was moved\..*newer version of the service \(FromTheFuture9900000000000\)/,
      );
    }
    expect(await ask('SELECT id FROM flows')).toEqual([]);
  });

  on('that is the other side itself leaves it as it is', async (place) => {
    const there = kind === 'sqlite' ? sqliteFile(place.databaseUrl) : place.databaseUrl;
    const rows = {
      ...ROWS,
      migrations: [{ id: '00000000-0000-4000-8000-0000000000aa', name: 'Init1693835579790' }],
    };
    await (kind === 'sqlite' ? makeFlowiseFile : makeFlowiseDatabase)(there, rows);
    const before = kind === 'sqlite' ? readFileSync(there) : undefined;
    for (const more of [['--dry-run'], []]) {
      const end = await moveInto(place, ['--database', there, ...more]);
      expect([end.code, end.out]).toEqual([2, '']);
      expect(end.wrong).toContain('The database belongs to another program');
    }
    if (before) expect(readFileSync(there).equals(before)).toBe(true);
    expect(await ask('SELECT name FROM chat_flow')).toEqual([{ name: 'moved' }]);
  });
});

describe('an import into an unusable target', () => {
  let place: TestPlace;
  let args: string[];

  beforeEach(async () => {
    place = await makePlace('sqlite');
    args = ['--database', join(place.dataDir, 'flowise.sqlite')];
    await makeFlowiseFile(args[1]!, ROWS);
  });
  afterEach(() => place.remove());

  it.each([[['--dry-run']], [[]]])('exits with 2 if the file is no database %j', async (more) => {
    writeFileSync(sqliteFile(place.databaseUrl), 'this is no database, and was here before '.repeat(50));
    const { code, out, wrong } = await moveInto(place, [...args, ...more]);
    expect([code, out]).toEqual([2, '']);
    expect(wrong).toMatch(/^Nothing was moved\. This side's database .* cannot be opened \(.*not a database/);
    expect(readFileSync(sqliteFile(place.databaseUrl), 'utf8')).toMatch(/^this is no database/);
  });

  it('exits with 2 if nothing answers, without the password of its address', async () => {
    const there = { ...place, databaseUrl: 'postgres://someone:secret@127.0.0.1:1/service' };
    const { code, out, wrong } = await moveInto(there, args);
    expect([code, out]).toEqual([2, '']);
    expect(wrong).toMatch(
      /^Nothing was moved\. This side's database service at 127\.0\.0\.1:1 cannot be opened/,
    );
    expect(wrong).not.toContain('secret');
  });

  it('exits with 2 and names a broken secret', async () => {
    writeFileSync(join(place.dataDir, 'credentials-key'), 'short');
    const { code, wrong } = await moveInto(place, args);
    expect([code, wrong]).toEqual([2, expect.stringContaining('credentials-key')]);
  });

  it('exits with 2 if the credentials key opens nothing that is stored', async () => {
    await moveInto(place, args);
    const dataSource = new DataSource(dataSourceOptions(place.databaseUrl));
    await dataSource.initialize();
    await dataSource.query(
      `INSERT INTO credentials (id, name, kind, sealed, created_at, updated_at) VALUES ('c', 'c', 'basic', 'v1.of another key', 0, 0)`,
    );
    await dataSource.destroy();
    const { code, wrong } = await moveInto(place, args);
    expect([code, wrong]).toEqual([
      2,
      expect.stringMatching(/^Nothing was moved\. CREDENTIALS_KEY \(.*credentials-key\): decrypts none/),
    ]);
  });
});
