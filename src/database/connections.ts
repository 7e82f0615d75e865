import type { DataSource } from 'typeorm';
import type { SqlValue } from './tx.js';

/** Injection token of the `Connections` of this database. */
export const CONNECTIONS = Symbol('CONNECTIONS');

/** A database as the gate and the reader use it, whether SQLite or PostgreSQL. */
export interface Connections {
  readonly dataSource: DataSource;
  /** Transactions of this process that may write at once. */
  readonly lanes: number;
  /** True if a transaction can lock only its keys, against all processes; otherwise it excludes all other writers. */
  readonly locksByKey: boolean;
  /** Opens a connection for the write gate. */
  openGate(): Promise<GateConnection>;
  read<Row>(sql: string, parameters: readonly SqlValue[]): Promise<Row[]>;
}

/** The gate's connection: plain statements and the boundaries of a transaction. */
export interface GateConnection {
  readonly dataSource: DataSource;
  /** True once the connection is lost. */
  readonly lost: boolean;
  /**
   * Begins a transaction, perhaps without waiting for the answer (see `begun`). With `soonDurable` the commit does not wait
   * for the disk. The transaction excludes others with one of its `keys`; without keys, all other writers.
   */
  begin(soonDurable: boolean, keys?: readonly string[]): Promise<void>;
  /** Rejects when the transaction did not begin; then none of its statements ran. */
  begun(): Promise<void>;
  /** Commits. Rejects after a rollback when a statement failed that was sent without waiting. */
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Runs one or more statements without parameters, perhaps without waiting for the answer (see `settled`). */
  exec(sql: string): Promise<void>;
  /** Runs a statement whose result is not needed, perhaps without waiting for the answer (see `settled`). */
  send(sql: string, parameters: readonly SqlValue[]): Promise<void>;
  /** Resolves when all statements sent without waiting are done. Rejects with the first failure; all after it failed too. */
  settled(): Promise<void>;
  all(sql: string, parameters: readonly SqlValue[]): Promise<unknown[]>;
  run(sql: string, parameters: readonly SqlValue[]): Promise<number>;
  /** Runs a writing statement as a transaction of its own, whose commit does not wait for the disk. */
  alone(sql: string, parameters: readonly SqlValue[], keys?: readonly string[]): Promise<unknown[]>;
  release(): Promise<void>;
}
