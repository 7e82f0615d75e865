import type { Client } from 'pg';
import { withUser } from '../../database/open/data-source.js';
import type { SourceRow } from '../../flows/import/rows/row-values.js';
import { readColumns } from './known-tables.js';
import { type MoveSource, WrongInput } from './move-source.js';
import { pagesOf, quoted, type RowPlaces } from './paged-rows.js';

const FETCHED = 5_000;

/** Leaves values as the text that PostgreSQL sends: times in UTC, JSON unparsed. */
const asText = { getTypeParser: () => (value: unknown) => value };

/**
 * The PostgreSQL database of a Flowise, read in one read-only transaction that sees one instant and blocks no writer. Its
 * tables are those of the first schema in the connection's `search_path`.
 */
export class PostgresSource implements MoveSource {
  private constructor(
    private readonly client: Client,
    readonly tables: MoveSource['tables'],
  ) {}

  /** Throws `WrongInput` if the database cannot be reached or refuses the login. */
  static async open(url: string): Promise<PostgresSource> {
    const { default: pg } = await import('pg');
    const client = new pg.Client({
      connectionString: withUser(url),
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      types: asText,
    });
    // Without a listener a lost connection would end the process. The next statement fails instead.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query("SET TIME ZONE 'UTC'; SET datestyle = 'ISO'");
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      return new PostgresSource(client, await tablesIn(client));
    } catch (error) {
      await client.end().catch(() => undefined);
      const { host, pathname } = new URL(url);
      const reason = (error as Error).message || String((error as NodeJS.ErrnoException).code);
      throw new WrongInput(`The database ${pathname.slice(1)} at ${host} cannot be read (${reason}).`);
    }
  }

  async count(table: string): Promise<number> {
    if (!this.tables.has(table)) return 0;
    const { rows } = await this.client.query<{ count: string }>(
      `SELECT count(*) AS "count" FROM ${quoted(table)}`,
    );
    return Number(rows[0]!.count);
  }

  async *rows(table: string, by: readonly string[] = []): AsyncGenerator<SourceRow> {
    const columns = readColumns(this, table);
    if (columns.length === 0) return;
    const places = await this.places(table, columns, by);
    const page = `SELECT ctid AS "$place", ${columns.map(quoted).join(', ')} FROM ${quoted(table)} WHERE ctid = ANY($1::tid[])`;
    for (const wanted of pagesOf(places)) {
      const { rows } = await this.client.query<SourceRow>(page, [wanted]);
      const byPlace = new Map(rows.map((row) => [row['$place'], row]));
      for (const place of wanted) yield byPlace.get(place)!;
    }
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  private async places(
    table: string,
    columns: readonly string[],
    by: readonly string[],
  ): Promise<RowPlaces<string>> {
    const sizes = columns.map((column) => `coalesce(octet_length(${quoted(column)}::text), 0)`).join(' + ');
    const order = [...by.filter((column) => columns.includes(column)).map(quoted), 'ctid'].join(', ');
    const found: RowPlaces<string> = { places: [], bytes: [] };
    await this.client.query(
      `DECLARE places CURSOR FOR SELECT ctid AS "place", ${sizes} AS "bytes" FROM ${quoted(table)} ORDER BY ${order}`,
    );
    for (let count = FETCHED; count === FETCHED;) {
      const { rows } = await this.client.query<{ place: string; bytes: string }>(
        `FETCH ${FETCHED} FROM places`,
      );
      for (const { place, bytes } of rows) {
        found.places.push(place);
        found.bytes.push(Number(bytes));
      }
      count = rows.length;
    }
    await this.client.query('CLOSE places');
    return found;
  }
}

async function tablesIn(client: Client): Promise<Map<string, Set<string>>> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `SELECT table_name AS "table", column_name AS "column"
     FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'`,
  );
  const tables = new Map<string, Set<string>>();
  for (const { table, column } of rows)
    tables.set(table, (tables.get(table) ?? new Set<string>()).add(column));
  return tables;
}
