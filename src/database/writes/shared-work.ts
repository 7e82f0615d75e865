import type { SqlValue, Tx } from '../tx.js';
import type { WriteKey } from './write-keys.js';

/**
 * Work that one set of statements does for many callers at once. It returns a result for each item in order. When it throws
 * for several items, it is rolled back and each item is tried alone.
 */
export interface SharedWork<Item, Result> {
  /**
   * True if a power cut may lose the latest of it: the commit does not wait for the disk. Acknowledged work still survives
   * the end of the process, and is on disk with the next commit that does wait.
   */
  readonly soonDurable?: boolean;
  /**
   * Returns the keys of everything that an item reads or writes and that others write under keys (`write-keys.ts`).
   * Without keys, or without this method, the item excludes every other writer.
   */
  keysOf?(item: Item): readonly WriteKey[] | undefined;
  /**
   * Returns one statement that checks and writes a lone item; it is soon durable. It is retried when its answer is lost, so
   * it must be idempotent. When its result is undefined it has written nothing, and `write` runs.
   */
  aloneFor?(item: Item): LoneStatement<Result> | undefined;
  write(tx: Tx, items: readonly Item[]): Promise<Result[]>;
}

export interface LoneStatement<Result> {
  sql: string;
  parameters: readonly SqlValue[];
  resultOf(rows: unknown[]): Result | undefined;
}
