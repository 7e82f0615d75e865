import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sqlite3 from 'sqlite3';
import { SqliteConnection } from './sqlite-connections.js';

describe('an SQLite connection', () => {
  let directory: string;
  let connection: SqliteConnection;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'sqlite-'));
    connection = await SqliteConnection.open(join(directory, 'one.sqlite'), []);
  });

  afterEach(async () => {
    await connection.close();
    rmSync(directory, { recursive: true });
  });

  it('tells every call of a statement that cannot be prepared, and tries it anew', async () => {
    const insert = () => connection.run('INSERT INTO late (id) VALUES (?)', [1]);
    const read = () => connection.all('SELECT id FROM late', []);
    for (const asked of [insert(), insert(), read(), read()])
      await expect(asked).rejects.toThrow('no such table');
    await connection.exec('CREATE TABLE late (id integer)');
    expect(await insert()).toBe(1);
    expect(await read()).toEqual([{ id: 1 }]);
  });

  it('tells a call that finds the file locked', async () => {
    const other = await SqliteConnection.open(join(directory, 'one.sqlite'), []);
    await other.exec('CREATE TABLE t (id integer); BEGIN EXCLUSIVE');
    await expect(connection.all('SELECT id FROM t', [])).rejects.toThrow('locked');
    await other.exec('COMMIT');
    expect(await connection.all('SELECT id FROM t', [])).toEqual([]);
    await other.close();
  });

  it('holds a bounded number of statements, and finishes those that leave', async () => {
    const finalized = jest.spyOn(sqlite3.Statement.prototype, 'finalize');
    const texts = Array.from({ length: 1_100 }, (_, index) => `SELECT ${index} AS id`);
    const read = (sql: string) => connection.all(sql, []);
    const all = await Promise.all(texts.map(read));
    expect(all).toEqual(texts.map((_, id) => [{ id }]));
    expect(finalized).toHaveBeenCalledTimes(100);
    finalized.mockRestore();
    expect(await read(texts[0]!)).toEqual([{ id: 0 }]);
  });
});
