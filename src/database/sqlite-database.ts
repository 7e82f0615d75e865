import type { DataSource, QueryRunner } from 'typeorm';
import type { Connections, GateConnection } from './connections.js';
import { type SqliteConnections, writingRunner } from './leased-runner.js';
import type { SqliteConnection } from './sqlite-connections.js';
import { markTransaction } from './transaction-mark.js';
import { TurnPatience } from './turn-patience.js';
import type { SqlValue } from './tx.js';

export class SqliteDatabase implements Connections {
  /** Outlives the gate, which is given up whenever its turn does not come. */
  private patience: TurnPatience | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly connections: SqliteConnections,
  ) {}

  async openGate(): Promise<GateConnection> {
    const connection = await this.connections.openWriter();
    this.patience ??= new TurnPatience(connection);
    const runner = writingRunner(this.dataSource, this.connections);
    return new SqliteGate(runner, connection, this.patience, this.dataSource);
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
    readonly runner: QueryRunner,
    private readonly connection: SqliteConnection,
    private readonly patience: TurnPatience,
    private readonly dataSource: DataSource,
  ) {}

  /** Every transaction says for itself whether its commit waits for the disk: nothing is left over from another. */
  async begin(soonDurable: boolean): Promise<void> {
    const begin = `PRAGMA synchronous = ${soonDurable ? 'NORMAL' : 'FULL'}; BEGIN IMMEDIATE`;
    this.beginning = this.patience.during(() => this.connection.exec(begin));
    await this.beginning;
    markTransaction(this.runner, true);
  }

  async begun(): Promise<void> {
    await this.beginning;
  }

  async commit(): Promise<void> {
    await this.connection.exec('COMMIT; PRAGMA synchronous = NORMAL');
    markTransaction(this.runner, false);
  }

  async alone(sql: string, parameters: readonly SqlValue[]): Promise<unknown[]> {
    const rows = this.patience.during(() => this.all(sql, parameters));
    this.beginning = rows;
    return rows;
  }

  async rollback(): Promise<void> {
    markTransaction(this.runner, false);
    await this.connection.run('ROLLBACK', []);
  }

  exec(sql: string): Promise<void> {
    return this.connection.exec(sql);
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
