import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { BaseQueryRunner } from 'typeorm/query-runner/BaseQueryRunner.js';
import { QueryResult } from 'typeorm/query-runner/QueryResult.js';
import { Broadcaster } from 'typeorm/subscriber/Broadcaster.js';
import type { SqlValue } from './tx.js';

/** The target of a repository's statements: the open transaction of a unit of work, or a read-only connection. */
export interface Statements {
  all(sql: string, parameters: readonly SqlValue[]): Promise<unknown[]>;
  /** Returns how many rows were changed. Absent for a read-only connection. */
  run?(sql: string, parameters: readonly SqlValue[]): Promise<number>;
}

const CHANGES = /^\s*(INSERT|UPDATE|DELETE)\b(?!.*\bRETURNING\b)/is;

/**
 * A query runner of TypeORM over `Statements`: repositories build the SQL and read the rows, and everything else (write
 * access, prepared statements, lost connections, the log) works as for plain SQL. Claims to be in a transaction, so that
 * TypeORM begins none.
 */
class StatementRunner extends BaseQueryRunner {
  override readonly broadcaster = new Broadcaster(this as unknown as QueryRunner);
  override isTransactionActive = true;

  constructor(
    override readonly connection: DataSource,
    private readonly statements: Statements,
  ) {
    super();
  }

  override async query(sql: string, parameters: SqlValue[] = [], structured = false): Promise<unknown> {
    const result = new QueryResult<unknown>();
    if (this.statements.run && CHANGES.test(sql)) {
      result.affected = await this.statements.run(sql, parameters);
      result.raw = [];
    } else {
      result.raw = result.records = await this.statements.all(sql, parameters);
      result.affected = result.records.length;
    }
    return structured ? result : result.raw;
  }

  startTransaction(): Promise<never> {
    return Promise.reject(new Error('read-only: the write gate alone begins transactions'));
  }

  async release(): Promise<void> {
    // It holds no connection.
  }

  protected override loadTables(): Promise<never> {
    return unsupported();
  }

  protected override loadViews(): Promise<never> {
    return unsupported();
  }
}

const unsupported = (): Promise<never> => Promise.reject(new Error('the schema comes from migrations'));

const runnerOver = (dataSource: DataSource, statements: Statements): QueryRunner =>
  new StatementRunner(dataSource, statements) as unknown as QueryRunner;

/** Returns a manager whose repositories run everything through these statements. */
export function managerOver(dataSource: DataSource, statements: Statements): EntityManager {
  const runner = runnerOver(dataSource, statements);
  const manager = dataSource.createEntityManager(runner);
  Object.assign(runner, { manager });
  return manager;
}

/** Makes the data source itself run its statements through these. */
export function runThrough(dataSource: DataSource, statements: Statements): void {
  dataSource.driver.createQueryRunner = () => runnerOver(dataSource, statements);
}
