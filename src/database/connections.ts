import type { DataSource } from 'typeorm';
import type { SqlValue } from './tx.js';

/** Injection token of the `Connections` of this database. */
export const CONNECTIONS = Symbol('CONNECTIONS');

/** A database as the gate and the reader use it, whether SQLite or PostgreSQL. */
export interface Connections {
  readonly dataSource: DataSource;
  /** Transactions of this process that may write at once. */
  readonly lanes: number;
  /** Whether a transaction may exclude those alone that touch the same, here or in another process. */
  readonly locksByKey: boolean;
  /** A connection that the write gate owns. */
  openGate(): Promise<GateConnection>;
  read<Row>(sql: string, parameters: readonly SqlValue[]): Promise<Row[]>;
}

/** The gate's connection: plain statements and the boundaries of a transaction. */
export interface GateConnection {
  readonly dataSource: DataSource;
  /** It has broken off: nothing more can run on it. */
  readonly lost: boolean;
  /**
   * Begins, perhaps without waiting for the answer: see `begun`. With `soonDurable` the commit does not wait for the disk.
   * With `keys` only transactions that have one of them wait for its end, without them every other that writes.
   */
  begin(soonDurable: boolean, keys?: readonly string[]): Promise<void>;
  /** Rejects when the transaction never began; then no statement of it was run. */
  begun(): Promise<void>;
  /** Rejects, with nothing kept, where a statement failed that was sent without waiting. */
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** One or more statements without parameters, in one step, perhaps without waiting for the answer: see `settled`. */
  exec(sql: string): Promise<void>;
  /** A statement whose answer nobody needs, perhaps without waiting for it: see `settled`. */
  send(sql: string, parameters: readonly SqlValue[]): Promise<void>;
  /** Resolves when everything sent without waiting is done. Rejects with the first failure: all that came behind it failed too. */
  settled(): Promise<void>;
  all(sql: string, parameters: readonly SqlValue[]): Promise<unknown[]>;
  run(sql: string, parameters: readonly SqlValue[]): Promise<number>;
  /** A writing statement that is a transaction of its own. Its commit does not wait for the disk. */
  alone(sql: string, parameters: readonly SqlValue[], keys?: readonly string[]): Promise<unknown[]>;
  release(): Promise<void>;
}
