import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import sqlite3 from 'sqlite3';
import { SqliteConnection } from '../../database/sqlite/sqlite-connections.js';
import type { SourceRow } from '../../flows/import/rows/row-values.js';
import { headOf } from '../../storage/foreign-files.js';
import { readColumns } from './known-tables.js';
import { type MoveSource, WrongInput } from './move-source.js';
import { type RowPlaces, pagesOf, quoted } from './paged-rows.js';

const MAGIC = 'SQLite format 3\0';
/** The offset of the read version in the header; 2 is WAL. */
const READ_VERSION = 19;
const PRAGMAS = ['query_only = ON', 'busy_timeout = 10000', 'cache_size = -8000'];

/**
 * The database file of a Flowise, opened read-only. A file in WAL mode that nobody has open is opened as immutable, so that
 * no other file is created beside it. Reads hold its lock for one page at a time, so that a running Flowise can write.
 */
export class SqliteSource implements MoveSource {
  private constructor(
    private readonly path: string,
    private readonly connection: SqliteConnection,
    readonly tables: MoveSource['tables'],
  ) {}

  /** Throws `WrongInput` if there is no such file, or it is no readable SQLite database. */
  static async open(path: string): Promise<SqliteSource> {
    const file = await headOf(path, 100).catch((error: NodeJS.ErrnoException) => {
      throw new WrongInput(`The database ${path} cannot be read (${error.code ?? error.message}).`);
    });
    if (!file) throw new WrongInput(`There is no database ${path}.`);
    if (file.head.toString('latin1', 0, MAGIC.length) !== MAGIC)
      throw new WrongInput(`${path} is not an SQLite database.`);
    const wal = await headOf(`${path}-wal`, 0);
    const isQuiet = file.head[READ_VERSION] === 2 && !(wal && wal.size > 0);
    let connection: SqliteConnection | undefined;
    try {
      connection = await openReadOnly(path, isQuiet);
      return new SqliteSource(path, connection, await tablesOf(connection));
    } catch (error) {
      await connection?.close();
      throw new WrongInput(
        `The database ${path} cannot be read (${(error as Error).message}). Stop the Flowise that has it open, or copy the file and the -wal and -journal files beside it into a writable folder.`,
      );
    }
  }

  async count(table: string): Promise<number> {
    if (!this.tables.has(table)) return 0;
    const [row] = await this.withAdvice(
      this.connection.all(`SELECT count(*) AS "count" FROM ${quoted(table)}`, []),
    );
    return (row as { count: number }).count;
  }

  async *rows(table: string, by: readonly string[] = []): AsyncGenerator<SourceRow> {
    const columns = readColumns(this, table);
    if (columns.length === 0) return;
    const places = await this.withAdvice(this.places(table, columns, by));
    const page = `SELECT rowid AS "$place", ${columns.map(quoted).join(', ')} FROM ${quoted(table)}
      WHERE rowid IN (SELECT value FROM json_each(?))`;
    for (const wanted of pagesOf(places)) {
      const found = (await this.withAdvice(
        this.connection.all(page, [JSON.stringify(wanted)]),
      )) as SourceRow[];
      const byPlace = new Map(found.map((row) => [row['$place'], row]));
      for (const place of wanted) {
        const row = byPlace.get(place);
        if (row) yield row;
      }
    }
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  /** Adds advice about the file to the error of a read. */
  private withAdvice<Value>(read: Promise<Value>): Promise<Value> {
    return read.catch((error: NodeJS.ErrnoException) => {
      throw new Error(
        `the database ${this.path} could not be read further (${error.message}). ${adviceFor(error)}`,
      );
    });
  }

  private async places(
    table: string,
    columns: readonly string[],
    by: readonly string[],
  ): Promise<RowPlaces<number>> {
    const sizes = columns.map((column) => `ifnull(octet_length(${quoted(column)}), 0)`).join(' + ');
    const order = [...by.filter((column) => columns.includes(column)).map(quoted), 'rowid'].join(', ');
    // One row instead of the driver's `each`, which can end before it has given its last rows. These functions keep the
    // order of the subquery; an `ORDER BY` of their own is ten times slower.
    const [row] = await this.connection.all(
      `SELECT json_group_array("place") AS "places", json_group_array("bytes") AS "bytes"
       FROM (SELECT rowid AS "place", ${sizes} AS "bytes" FROM ${quoted(table)} ORDER BY ${order})`,
      [],
    );
    const { places, bytes } = row as { places: string; bytes: string };
    return { places: JSON.parse(places) as number[], bytes: JSON.parse(bytes) as number[] };
  }
}

const adviceFor = ({ code }: NodeJS.ErrnoException): string =>
  code === 'SQLITE_BUSY' || code === 'SQLITE_LOCKED'
    ? 'Its Flowise is writing to it: stop that Flowise.'
    : 'It is damaged, or was copied while it was being written: stop its Flowise, then copy the file and the -wal and -journal files beside it.';

function openReadOnly(path: string, isQuiet: boolean): Promise<SqliteConnection> {
  const url = pathToFileURL(resolve(path));
  if (isQuiet) url.searchParams.set('immutable', '1');
  return SqliteConnection.open(url.href, PRAGMAS, sqlite3.OPEN_READONLY | sqlite3.OPEN_URI);
}

async function tablesOf(connection: SqliteConnection): Promise<Map<string, Set<string>>> {
  const rows = (await connection.all(
    `SELECT t.name AS "table", c.name AS "column" FROM sqlite_master t, pragma_table_info(t.name) c
     WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite~_%' ESCAPE '~'`,
    [],
  )) as { table: string; column: string }[];
  const tables = new Map<string, Set<string>>();
  for (const { table, column } of rows)
    tables.set(table, (tables.get(table) ?? new Set<string>()).add(column));
  return tables;
}
