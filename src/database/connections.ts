import type { QueryRunner } from 'typeorm';
import type { SqlValue } from './tx.js';

/** A database as the gate and the reader use it: SQLite or PostgreSQL, which nobody else needs to know. */
export interface Connections {
  /** The runner that the write gate owns. */
  openGate(): Promise<GateConnection>;
  read<Row>(sql: string, parameters: readonly SqlValue[]): Promise<Row[]>;
}

/** The gate's connection: plain statements and the boundaries of a transaction. */
export interface GateConnection {
  readonly runner: QueryRunner;
  /** It has broken off: nothing can be done with it any more. */
  readonly lost: boolean;
  /** Begins, perhaps without waiting for the answer: see `begun`. With `soonDurable` the commit does not wait for the disk. */
  begin(soonDurable: boolean): Promise<void>;
  /** Rejects when the transaction never began; nothing of it was done then. */
  begun(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** One or more statements without parameters, in one step. */
  exec(sql: string): Promise<void>;
  all(sql: string, parameters: readonly SqlValue[]): Promise<unknown[]>;
  run(sql: string, parameters: readonly SqlValue[]): Promise<number>;
  /** A writing statement that is a transaction of its own. Its commit does not wait for the disk. */
  alone(sql: string, parameters: readonly SqlValue[]): Promise<unknown[]>;
  release(): Promise<void>;
}
