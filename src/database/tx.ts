import type { EntityTarget, ObjectLiteral, Repository } from 'typeorm';

/** A parameter of a statement. Instants are epoch milliseconds, JSON is text, booleans are 0 and 1, bytes a `Buffer`. */
export type SqlValue = string | number | Buffer | null;

/** The methods of a repository that read with one statement each. */
export type ReadingRepository<Entity extends ObjectLiteral> = Pick<
  Repository<Entity>,
  'find' | 'findBy' | 'findOne' | 'findOneBy' | 'existsBy' | 'countBy'
>;

/** The methods that write with one statement each, which `save` and `remove` do not. */
export type WritingRepository<Entity extends ObjectLiteral> = ReadingRepository<Entity> &
  Pick<Repository<Entity>, 'insert' | 'update' | 'delete'>;

/** Reads rows. Placeholders in SQL are `?` on both databases; a statement contains no other question mark. */
export interface SqlReader {
  /** Returns the rows of a statement. */
  all<Row>(sql: string, parameters?: readonly SqlValue[]): Promise<Row[]>;
  /** Returns the first row, if any. */
  one<Row>(sql: string, parameters?: readonly SqlValue[]): Promise<Row | undefined>;
  /** Returns TypeORM's repository over the same connection. */
  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): ReadingRepository<Entity>;
}

/** The open transaction of one unit of work in the write gate. */
export interface Tx extends SqlReader {
  /** Runs a statement and returns how many rows it changed, which tells a conditional write whether it won. */
  run(sql: string, parameters?: readonly SqlValue[]): Promise<number>;
  /**
   * Runs a statement whose result is not needed, perhaps without waiting for it. If it fails, the unit fails with its
   * error.
   */
  send(sql: string, parameters?: readonly SqlValue[]): Promise<void>;
  /** Returns a repository within this transaction. */
  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): WritingRepository<Entity>;
}

const numbered = new Map<string, string>();

/** Replaces `?` by `$1`, `$2` … for PostgreSQL. */
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
