import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sqlite3 from 'sqlite3';
import { makePlace, type TestPlace } from '../../../test/support/databases.js';
import {
  type FlowiseRows,
  flowiseFlow,
  makeFlowiseDatabase,
  makeFlowiseFile,
} from '../../../test/support/flowise.js';
import { describeOnPostgres } from '../../../test/support/on-postgres.js';
import { postgresReachable } from '../../../test/support/services.js';
import { SqliteConnection } from '../../database/sqlite/sqlite-connections.js';
import { columnBoolean, columnInstant, columnJson, columnText } from '../../flows/import/rows/row-values.js';
import { MoveReport } from '../report/move-report.js';
import { checkSchema } from './known-tables.js';
import type { MoveSource } from './move-source.js';
import { pagesOf } from './paged-rows.js';
import { PostgresSource } from './postgres-source.js';
import { SqliteSource } from './sqlite-source.js';

const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const lead = (number: number, chatId: string) => ({
  id: id(number),
  chatflowid: 'f',
  chatId,
  name: `n${number}`,
});

const ROWS: FlowiseRows = {
  chat_flow: [flowiseFlow({ name: 'Prüfung 検査', isPublic: 1, ofTomorrow: 'x' })],
  lead: Array.from({ length: 450 }, (_, at) => lead(1_000 - at, at % 2 === 0 ? 'b' : 'a')),
  apikey: [],
  custom_template: [{ id: id(1) }],
};

const namesIn = async (source: MoveSource, by: string[] = []): Promise<string[]> => {
  const names: string[] = [];
  for await (const row of source.rows('lead', by)) names.push(String(row['name']));
  return names;
};

const readTheSame = (open: () => MoveSource) => {
  it('gives rows in the order in which they were written, or by columns, over the edges of pages', async () => {
    const written = ROWS['lead']!.map(({ name }) => name);
    expect(await namesIn(open())).toEqual(written);
    const odd = written.filter((_, at) => at % 2 === 1);
    expect(await namesIn(open(), ['chatId'])).toEqual([...odd, ...written.filter((_, at) => at % 2 === 0)]);
  });

  it('gives each value so that it can be read', async () => {
    for await (const row of open().rows('chat_flow')) {
      expect([columnText(row['name']), columnBoolean(row['isPublic'])]).toEqual(['Prüfung 検査', true]);
      expect(columnInstant(row['createdDate'])).toBe(Date.UTC(2025, 0, 2, 3, 4, 5));
      expect(columnInstant(row['updatedDate'])).toBe(Date.UTC(2025, 1, 3, 4, 5, 6, 789));
      expect(columnJson(row['flowData'])).toMatchObject({ value: { nodes: expect.any(Array) } });
      expect(columnJson(row['chatbotConfig'])).toEqual({ value: undefined });
    }
  });

  it('tells columns that it does not know, and counts tables that it does not read', async () => {
    const report = new MoveReport();
    checkSchema(open(), report);
    expect([...report.notes.keys()]).toEqual([
      'The table "chat_flow" has columns that this version does not know: ofTomorrow.',
    ]);
    expect(await open().count('custom_template')).toBe(1);
    expect(await open().count('no_such_table')).toBe(0);
  });
};

describe('a Flowise database in SQLite', () => {
  let folder: string;
  let file: string;
  let source: SqliteSource;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'flowise-'));
    file = join(folder, 'with # and ?.sqlite');
    await makeFlowiseFile(file, ROWS);
    source = await SqliteSource.open(file);
  });
  afterAll(async () => {
    await source.close();
    rmSync(folder, { recursive: true });
  });

  readTheSame(() => source);

  // The driver's `each` ended before its last rows in 3 of 100,000 reads beside a busy process.
  it('is read without the call of the driver that can lose rows', async () => {
    const each = jest.spyOn(sqlite3.Statement.prototype, 'each');
    expect(await namesIn(source)).toHaveLength(450);
    expect(each).not.toHaveBeenCalled();
    each.mockRestore();
  });

  it('is never written', async () => {
    const connection = (source as unknown as { connection: SqliteConnection }).connection;
    await expect(connection.exec('DELETE FROM lead')).rejects.toThrow(/readonly/);
  });

  it('in WAL mode that nobody has open is read without a file beside it', async () => {
    const own = mkdtempSync(join(folder, 'wal-'));
    await makeFlowiseFile(join(own, 'f.sqlite'), ROWS, ['journal_mode = WAL']);
    const quiet = await SqliteSource.open(join(own, 'f.sqlite'));
    expect(await namesIn(quiet)).toHaveLength(450);
    expect(readdirSync(own)).toEqual(['f.sqlite']);
    await quiet.close();
  });

  it('is read with what stands in its -wal alone, and goes on being written', async () => {
    const own = join(mkdtempSync(join(folder, 'live-')), 'f.sqlite');
    await makeFlowiseFile(own, ROWS);
    const writer = await SqliteConnection.open(own, ['journal_mode = WAL']);
    await writer.exec(`UPDATE lead SET name = 'changed'`);
    const live = await SqliteSource.open(own);
    expect(new Set(await namesIn(live))).toEqual(new Set(['changed']));
    for await (const _ of live.rows('lead')) await writer.exec(`UPDATE lead SET name = 'again'`);
    expect(new Set(await namesIn(live))).toEqual(new Set(['again']));
    await live.close();
    await writer.close();
  });

  it('that is none is told', async () => {
    writeFileSync(join(folder, 'text'), 'SQLite format 3 is what this begins with');
    writeFileSync(join(folder, 'broken'), `SQLite format 3\0${'x'.repeat(8192)}`);
    await expect(SqliteSource.open(join(folder, 'gone'))).rejects.toThrow('There is no database');
    await expect(SqliteSource.open(join(folder, 'text'))).rejects.toThrow('is not an SQLite database');
    await expect(SqliteSource.open(join(folder, 'broken'))).rejects.toThrow('cannot be read');
    await expect(SqliteSource.open(folder)).rejects.toThrow('cannot be read');
  });

  it('that is damaged in the middle is not read as if it ended there', async () => {
    const damaged = join(folder, 'damaged');
    await makeFlowiseFile(damaged, {
      lead: Array.from({ length: 2_000 }, (_, at) => ({ ...lead(at, 'a'), email: 'x'.repeat(500) })),
    });
    const bytes = readFileSync(damaged);
    writeFileSync(damaged, bytes.fill(0xff, bytes.length >> 1, (bytes.length >> 1) + 65_536));
    const opened = await SqliteSource.open(damaged);
    await expect(namesIn(opened)).rejects.toThrow(
      /could not be read further \(SQLITE_CORRUPT.*damaged, or was copied/,
    );
    await opened.close();
  });

  it('that misses tables and columns is told, and read as far as it goes', async () => {
    const old = join(folder, 'old');
    const connection = await SqliteConnection.open(old, []);
    await connection.exec(
      `CREATE TABLE chat_flow (id varchar, name varchar, flowData text); CREATE TABLE lead (id varchar, name varchar);
       INSERT INTO chat_flow VALUES ('a', 'b', '{}'); INSERT INTO lead VALUES ('a', 'b')`,
    );
    const report = new MoveReport();
    const opened = await SqliteSource.open(old);
    checkSchema(opened, report);
    const notes = [...report.notes.keys()].join('\n');
    expect(notes).toContain('has no table "apikey"');
    expect(notes).toContain('The table "lead" could not be read: it has no chatflowid, chatId.');
    expect(notes).toMatch(/"chat_flow" has no .*apikeyid/);
    for await (const row of opened.rows('chat_flow')) expect(Object.keys(row)).toContain('flowData');
    expect(await namesIn(opened)).toEqual([]);
    await opened.close();
    await connection.exec('ALTER TABLE chat_flow RENAME TO flows_of_others');
    await connection.close();
    const other = await SqliteSource.open(old);
    expect(() => checkSchema(other, report)).toThrow('This is not a Flowise database');
    await other.close();
  });
});

describeOnPostgres('a Flowise database in PostgreSQL', () => {
  let place: TestPlace | undefined;
  let source: PostgresSource;

  beforeAll(async () => {
    if (!(await postgresReachable())) return;
    place = await makePlace('postgres');
    await makeFlowiseDatabase(place.databaseUrl, ROWS);
    source = await PostgresSource.open(place.databaseUrl);
  });
  afterAll(async () => {
    if (!place) return;
    await source.close();
    await place.remove();
  });

  const there = (name: string, test: () => Promise<void>) =>
    it(name, async () => {
      if (place) await test();
    });

  there('gives the same rows in the same order', async () => {
    const written = ROWS['lead']!.map(({ name }) => name);
    expect(await namesIn(source)).toEqual(written);
    const [first] = await namesIn(source, ['chatId']);
    expect(first).toBe(written[1]);
    for await (const row of source.rows('chat_flow')) {
      expect([columnText(row['name']), columnBoolean(row['isPublic'])]).toEqual(['Prüfung 検査', true]);
      expect(columnInstant(row['updatedDate'])).toBe(Date.UTC(2025, 1, 3, 4, 5, 6, 789));
    }
    expect(await source.count('lead')).toBe(450);
  });

  there('is never written, and locks nobody out', async () => {
    const { client } = source as unknown as { client: { query(sql: string): Promise<unknown> } };
    await client.query('SAVEPOINT before');
    await expect(client.query('DELETE FROM lead')).rejects.toThrow('read-only transaction');
    await client.query('ROLLBACK TO SAVEPOINT before');
  });

  there('that cannot be reached is told', async () => {
    const url = new URL(place!.databaseUrl);
    url.pathname = '/no_such_database_of_anybody';
    await expect(PostgresSource.open(url.toString())).rejects.toThrow('cannot be read');
  });
});

describe('pages', () => {
  it('are bounded in number and in bytes; a larger row is one of its own', () => {
    const bytes = [1, 5_000_000, 1, 1, 4_000_000, 400_000, ...Array.from({ length: 250 }, () => 1)];
    const pages = [...pagesOf({ places: bytes.map((_, at) => at), bytes })];
    expect(pages.map(({ length }) => length)).toEqual([1, 1, 3, 200, 51]);
    expect(pages.flat()).toEqual(bytes.map((_, at) => at));
  });
});
