import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CONNECTIONS } from './database.tokens.js';
import type { Connections, GateConnection } from './connections.js';
import type { SqlValue, Tx } from './tx.js';

interface Unit {
  work: (tx: Tx) => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

type Outcome = { unit: Unit; value: unknown } | { unit: Unit; error: unknown };

const BATCH = 128;

/** Longer than any honest unit; a unit that waits for another one would wait for ever. */
const UNIT_LIMIT_MS = 15_000;

/**
 * The only way to write. Units of work that wait at the same time share one transaction, each in a savepoint of its
 * own, and are acknowledged after the shared commit: one writer at a time, durability at the price of one fsync for
 * many, and a unit that throws undoes itself alone. A unit holds database calls only, never a model or network call;
 * every other connection is one that the database itself refuses to write on.
 */
@Injectable()
export class WriteGate implements BeforeApplicationShutdown {
  private readonly waiting: Unit[] = [];
  private draining: Promise<void> | undefined;
  private connection: GateConnection | undefined;
  private stopped = false;

  constructor(@Inject(CONNECTIONS) private readonly connections: Connections) {}

  /** Resolves to what the unit answered once it is durable; rejects with what it threw, nothing of it kept. */
  write<Value>(work: (tx: Tx) => Promise<Value>): Promise<Value> {
    if (this.stopped)
      return Promise.reject(new Error('the service has stopped: nothing is written any more'));
    return new Promise<Value>((resolve, reject) => {
      this.waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.draining ??= this.drain();
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    while (this.draining) await this.draining;
    this.stopped = true;
    await this.connection?.release();
    this.connection = undefined;
  }

  private async drain(): Promise<void> {
    // A tick, so that calls made together share a transaction.
    await Promise.resolve();
    while (this.waiting.length > 0) await this.runBatch(this.waiting.splice(0, BATCH));
    this.draining = undefined;
  }

  private async runBatch(units: Unit[]): Promise<void> {
    let outcomes: Outcome[];
    try {
      const connection = await this.begin();
      outcomes =
        units.length === 1 ? [await runUnit(connection, units[0]!)] : await runShared(connection, units);
      if (outcomes.length === 1 && 'error' in outcomes[0]!) await connection.rollback();
      else await connection.commit();
    } catch (error) {
      await this.abandon();
      for (const unit of units) unit.reject(error);
      return;
    }
    for (const outcome of outcomes) {
      if ('error' in outcome) outcome.unit.reject(outcome.error);
      else outcome.unit.resolve(outcome.value);
    }
  }

  private async begin(): Promise<GateConnection> {
    if (this.connection) {
      try {
        await this.connection.begin();
        return this.connection;
      } catch {
        // The connection is stale (the database restarted): nothing was begun, so a fresh one may try.
        await this.abandon();
      }
    }
    this.connection = await this.connections.openGate();
    await this.connection.begin();
    return this.connection;
  }

  private async abandon(): Promise<void> {
    const connection = this.connection;
    this.connection = undefined;
    await connection?.rollback().catch(() => undefined);
    await connection?.release().catch(() => undefined);
  }
}

/** Each unit in a savepoint. One step between two of them: a savepoint that was rolled back serves the next unit too. */
async function runShared(connection: GateConnection, units: readonly Unit[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let boundary = 'SAVEPOINT unit';
  for (const unit of units) {
    await connection.exec(boundary);
    const outcome = await runUnit(connection, unit);
    outcomes.push(outcome);
    boundary = 'error' in outcome ? UNDO : 'RELEASE SAVEPOINT unit; SAVEPOINT unit';
  }
  if (boundary === UNDO) await connection.exec(UNDO);
  return outcomes;
}

const UNDO = 'ROLLBACK TO SAVEPOINT unit';

async function runUnit(connection: GateConnection, unit: Unit): Promise<Outcome> {
  const tx = new OpenTx(connection);
  try {
    return { unit, value: await withinLimit(unit.work(tx)) };
  } catch (error) {
    return { unit, error };
  } finally {
    tx.close();
  }
}

function withinLimit<Value>(work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error('a unit of work did not end in time: it must hold database calls of its own tx only'));
    }, UNIT_LIMIT_MS);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

class OpenTx implements Tx {
  private open = true;

  constructor(private readonly connection: GateConnection) {}

  /** What a unit left running may not touch the next unit's transaction. */
  close(): void {
    this.open = false;
  }

  get manager(): EntityManager {
    return this.connection.runner.manager;
  }

  async all<Row>(sql: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    this.check();
    return (await this.connection.all(sql, parameters)) as Row[];
  }

  async one<Row>(sql: string, parameters: readonly SqlValue[] = []): Promise<Row | undefined> {
    return (await this.all<Row>(sql, parameters))[0];
  }

  async run(sql: string, parameters: readonly SqlValue[] = []): Promise<number> {
    this.check();
    return this.connection.run(sql, parameters);
  }

  private check(): void {
    if (!this.open) throw new Error('this unit of work has ended: its tx writes no more');
  }
}
