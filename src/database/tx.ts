import type { EntityManager } from 'typeorm';

/** A value that a statement takes. Instants are epoch milliseconds, JSON is text, booleans are 0 and 1. */
export type SqlValue = string | number | null;

/** What can be read with plain SQL. Placeholders are `?` on both databases; a statement holds no other question mark. */
export interface SqlReader {
  /** Rows of a statement. */
  all<Row>(sql: string, parameters?: readonly SqlValue[]): Promise<Row[]>;
  /** The first row, if any. */
  one<Row>(sql: string, parameters?: readonly SqlValue[]): Promise<Row | undefined>;
}

/** The open transaction of one unit of work in the write gate. */
export interface Tx extends SqlReader {
  /** Runs a statement and answers how many rows it changed: the test of every conditional write. */
  run(sql: string, parameters?: readonly SqlValue[]): Promise<number>;
  /** TypeORM's manager inside the same transaction. */
  readonly manager: EntityManager;
}

const numbered = new Map<string, string>();

/** `?` → `$1`, `$2` … as PostgreSQL wants them. */
export function numberPlaceholders(sql: string): string {
  let text = numbered.get(sql);
  if (text === undefined) {
    let count = 0;
    text = sql.replaceAll('?', () => `$${++count}`);
    if (numbered.size > 2000) numbered.clear();
    numbered.set(sql, text);
  }
  return text;
}
