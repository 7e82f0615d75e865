import type { SourceRow } from '../../flows/import/rows/row-values.js';

/** One of the two sides of a move cannot be opened, and nothing was moved. The message says what to do. */
export class WrongInput extends Error {}

/**
 * A Flowise database, which is only read. Rows are read in pages of bounded number and size.
 */
export interface MoveSource {
  /** Names of its tables, with the names of their columns. */
  readonly tables: ReadonlyMap<string, ReadonlySet<string>>;
  /** Counts the rows of a table; 0 if there is no such table. */
  count(table: string): Promise<number>;
  /**
   * Reads the rows of a table, sorted by these columns and then in the order in which they were written; none if there is no
   * such table. Only the columns of `known-tables` are read; a missing column is absent from each row.
   */
  rows(table: string, by?: readonly string[]): AsyncIterable<SourceRow>;
  close(): Promise<void>;
}
