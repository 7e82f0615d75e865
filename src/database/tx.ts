import type { EntityTarget, ObjectLiteral, Repository } from 'typeorm';

/** A value that a statement takes. Instants are epoch milliseconds, JSON is text, booleans are 0 and 1, bytes a `Buffer`. */
export type SqlValue = string | number | Buffer | null;

/** The reading methods of a repository that are one statement each. */
export type ReadingRepository<Entity extends ObjectLiteral> = Pick<
  Repository<Entity>,
  'find' | 'findBy' | 'findOne' | 'findOneBy' | 'existsBy' | 'countBy'
>;

/** The writing methods that are one statement each, which `save` and `remove` are not. */
export type WritingRepository<Entity extends ObjectLiteral> = ReadingRepository<Entity> &
  Pick<Repository<Entity>, 'insert' | 'update' | 'delete'>;

/** Reads rows. Placeholders of plain SQL are `?` on both databases; a statement holds no other question mark. */
export interface SqlReader {
  /** Rows of a statement. */
  all<Row>(sql: string, parameters?: readonly SqlValue[]): Promise<Row[]>;
  /** The first row, if any. */
  one<Row>(sql: string, parameters?: readonly SqlValue[]): Promise<Row | undefined>;
  /** TypeORM's, over the same connection; the entity is one of the data source's. */
  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): ReadingRepository<Entity>;
}

/** The open transaction of one unit of work in the write gate. */
export interface Tx extends SqlReader {
  /** Runs a statement and answers how many rows it changed: a conditional write tells by that whether it won. */
  run(sql: string, parameters?: readonly SqlValue[]): Promise<number>;
  /**
   * Runs a statement whose answer nobody needs, perhaps without waiting for it: where it fails, the unit fails with its
   * error, whatever it does after it.
   */
  send(sql: string, parameters?: readonly SqlValue[]): Promise<void>;
  /** Inside the same transaction. */
  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): WritingRepository<Entity>;
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
