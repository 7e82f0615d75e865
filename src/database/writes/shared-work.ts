import type { SqlValue, Tx } from '../tx.js';
import type { WriteKey } from './write-keys.js';

/**
 * Work that one set of statements can do for many callers at once. It answers each item, in the items' order; when it
 * throws for several, nothing of it is kept and each item is tried alone.
 */
export interface SharedWork<Item, Result> {
  /**
   * True where a power cut may lose the latest of it: the commit does not wait for the disk. Acknowledged work survives
   * the end of the process all the same, and is on the disk with the next commit that does wait.
   */
  readonly soonDurable?: boolean;
  /**
   * Everything that an item reads or writes and others write under keys too (`write-keys.ts`); undefined, as where the
   * method is missing, for one that excludes every other writer.
   */
  keysOf?(item: Item): readonly WriteKey[] | undefined;
  /**
   * Does the same for an item that came alone, as one statement that looks and writes at once; it is soon durable. Where
   * its answer was lost it is done again, so that doing it twice must do no harm.
   * Where it answers undefined, it has written nothing and `write` is asked.
   */
  aloneFor?(item: Item): LoneStatement<Result> | undefined;
  write(tx: Tx, items: readonly Item[]): Promise<Result[]>;
}

export interface LoneStatement<Result> {
  sql: string;
  parameters: readonly SqlValue[];
  resultOf(rows: unknown[]): Result | undefined;
}
