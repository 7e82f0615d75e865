import { LRUCache } from 'lru-cache';
import sqlite3 from 'sqlite3';
import { DatabaseAway } from '../away.js';

interface Prepared {
  statement: sqlite3.Statement;
  /** Calls made while it is being prepared; when that fails, the driver does not call them back. */
  pending: ((error: Error) => void)[] | undefined;
}

/** Statements that a connection holds prepared: some texts contain lists of any length. */
const MOST_PREPARED = 1_000;

/** One SQLite connection with its prepared statements. Calls are queued by the driver and run in order. */
export class SqliteConnection {
  private readonly statements = new LRUCache<string, Prepared>({
    max: MOST_PREPARED,
    // The driver finalises it after the calls that wait for it. One that could not be prepared is final already.
    dispose: ({ statement }, _sql, reason) => {
      if (reason === 'evict') statement.finalize();
    },
  });

  private constructor(readonly database: sqlite3.Database) {}

  static async open(file: string, pragmas: readonly string[], mode?: number): Promise<SqliteConnection> {
    const database = await new Promise<sqlite3.Database>((resolve, reject) => {
      const opened: sqlite3.Database = new sqlite3.Database(
        file,
        mode ?? sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE,
        (error) => (error ? reject(error) : resolve(opened)),
      );
    });
    const connection = new SqliteConnection(database);
    for (const pragma of pragmas) await connection.exec(`PRAGMA ${pragma}`);
    return connection;
  }

  exec(sql: string): Promise<void> {
    return new Promise((resolve, reject) =>
      this.database.exec(sql, (error) => (error ? reject(error) : resolve())),
    );
  }

  /** Runs a statement and resolves to its rows. */
  all(sql: string, parameters: readonly unknown[]): Promise<unknown[]> {
    return new Promise((resolve, reject) =>
      this.prepared(sql, reject).all(parameters, (error: Error | null, rows: unknown[]) =>
        error ? reject(error) : resolve(rows),
      ),
    );
  }

  /** Runs a statement and resolves to the number of rows it changed. */
  run(sql: string, parameters: readonly unknown[]): Promise<number> {
    return new Promise((resolve, reject) =>
      this.prepared(sql, reject).run(parameters, function (this: sqlite3.RunResult, error: Error | null) {
        if (error) reject(error);
        else resolve(this.changes);
      }),
    );
  }

  async close(): Promise<void> {
    for (const { statement } of this.statements.values()) {
      await new Promise<void>((resolve) => statement.finalize(() => resolve()));
    }
    this.statements.clear();
    await new Promise<void>((resolve, reject) =>
      this.database.close((error) => (error ? reject(error) : resolve())),
    );
  }

  private prepared(sql: string, reject: (error: Error) => void): sqlite3.Statement {
    const known = this.statements.get(sql);
    if (known) {
      known.pending?.push(reject);
      return known.statement;
    }
    const pending = [reject];
    const statement = this.database.prepare(sql, (error: Error | null) => {
      made.pending = undefined;
      if (!error) return;
      this.statements.delete(sql);
      for (const tell of pending) tell(error);
    });
    const made: Prepared = { statement, pending: pending };
    this.statements.set(sql, made);
    return statement;
  }
}

/** A pool of a few connections. */
export class SqlitePool {
  private readonly idle: SqliteConnection[] = [];
  private readonly all: SqliteConnection[] = [];
  private opening = 0;
  private readonly waiting: { take: (connection: SqliteConnection) => void; timer: NodeJS.Timeout }[] = [];

  constructor(
    private readonly size: number,
    private readonly open: () => Promise<SqliteConnection>,
    private readonly patienceMs: number,
  ) {}

  async lease(): Promise<SqliteConnection> {
    const free = this.idle.pop();
    if (free) return free;
    if (this.all.length + this.opening < this.size) return this.openOne();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(waiter), 1);
        reject(new DatabaseAway(new Error(`no connection came free within ${this.patienceMs} ms`)));
      }, this.patienceMs);
      const waiter = { take: resolve, timer };
      this.waiting.push(waiter);
    });
  }

  release(connection: SqliteConnection): void {
    const next = this.waiting.shift();
    if (!next) {
      this.idle.push(connection);
      return;
    }
    clearTimeout(next.timer);
    next.take(connection);
  }

  async close(): Promise<void> {
    for (const connection of this.all.splice(0)) await connection.close();
    this.idle.length = 0;
  }

  private async openOne(): Promise<SqliteConnection> {
    this.opening++;
    try {
      const connection = await this.open();
      this.all.push(connection);
      return connection;
    } finally {
      this.opening--;
    }
  }
}
