import type { DataSource } from 'typeorm';
import type { Connections, GateConnection } from '../connections.js';
import type { SqlValue } from '../tx.js';
import { BusyTimeout } from './busy-timeout.js';
import type { SqliteConnections } from './leased-connections.js';
import type { SqliteConnection } from './sqlite-connections.js';

export class SqliteDatabase implements Connections {
  /** SQLite has one writer. */
  readonly lanes = 1;
  readonly locksByKey = false;
  /** Outlives the gate, which is closed whenever it does not get the write lock. */
  private patience: BusyTimeout | undefined;

  constructor(
    readonly dataSource: DataSource,
    private readonly connections: SqliteConnections,
  ) {}

  async openGate(): Promise<GateConnection> {
    const connection = await this.connections.openWriter();
    this.patience ??= new BusyTimeout(connection);
    return new SqliteGate(this.dataSource, connection, this.patience);
  }

  async read<Row>(sql: string, parameters: readonly SqlValue[]): Promise<Row[]> {
    this.dataSource.logger.logQuery(sql, parameters as unknown[]);
    const connection = await this.connections.readers.lease();
    try {
      return (await connection.all(sql, parameters)) as Row[];
    } finally {
      this.connections.readers.release(connection);
    }
  }
}

class SqliteGate implements GateConnection {
  readonly lost = false;
  private beginning: Promise<unknown> = Promise.resolve();

  constructor(
    readonly dataSource: DataSource,
    private readonly connection: SqliteConnection,
    private readonly patience: BusyTimeout,
  ) {}

  /** Begins a transaction. Each sets whether its commit waits for the disk, so that no setting is left over. */
  async begin(soonDurable: boolean): Promise<void> {
    const begin = `PRAGMA synchronous = ${soonDurable ? 'NORMAL' : 'FULL'}; BEGIN IMMEDIATE`;
    this.beginning = this.patience.during(() => this.connection.exec(begin));
    await this.beginning;
  }

  async begun(): Promise<void> {
    await this.beginning;
  }

  async commit(): Promise<void> {
    await this.connection.exec('COMMIT; PRAGMA synchronous = NORMAL');
  }

  async alone(sql: string, parameters: readonly SqlValue[]): Promise<unknown[]> {
    const rows = this.patience.during(() => this.all(sql, parameters));
    this.beginning = rows;
    return rows;
  }

  async rollback(): Promise<void> {
    await this.connection.run('ROLLBACK', []);
  }

  exec(sql: string): Promise<void> {
    return this.connection.exec(sql);
  }

  async send(sql: string, parameters: readonly SqlValue[]): Promise<void> {
    await this.run(sql, parameters);
  }

  async settled(): Promise<void> {
    // Nothing is sent without waiting, because statements of one connection have no other order.
  }

  all(sql: string, parameters: readonly SqlValue[]): Promise<unknown[]> {
    this.dataSource.logger.logQuery(sql, parameters as unknown[]);
    return this.connection.all(sql, parameters);
  }

  run(sql: string, parameters: readonly SqlValue[]): Promise<number> {
    this.dataSource.logger.logQuery(sql, parameters as unknown[]);
    return this.connection.run(sql, parameters);
  }

  async release(): Promise<void> {
    // The connection belongs to SqliteConnections and is closed with the data source.
  }
}
