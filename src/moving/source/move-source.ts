import type { SourceRow } from '../../flows/import/rows/row-values.js';

/** One of the two sides of a move cannot be opened as asked: nothing was moved, and the sentence says what to do. */
export class WrongInput extends Error {}

/**
 * A Flowise database, read and never written. Its rows are read in pages that are bounded in number and in bytes,
 * however many and however large they are.
 */
export interface MoveSource {
  /** Names of its tables, with the names of their columns. */
  readonly tables: ReadonlyMap<string, ReadonlySet<string>>;
  /** Rows of a table; 0 where it has no such table. */
  count(table: string): Promise<number>;
  /**
   * The rows of a table by these columns, equal ones in the order in which they were written; none where there is no such
   * table. Only the columns of `known-tables` are read, and one that is missing is absent from each row.
   */
  rows(table: string, by?: readonly string[]): AsyncIterable<SourceRow>;
  close(): Promise<void>;
}
