import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CONNECTIONS } from './database.tokens.js';
import type { Connections, GateConnection } from './connections.js';
import type { SqlValue, Tx } from './tx.js';

/**
 * Work that one set of statements can do for many callers at once. It answers each item, in the items' order; when it
 * throws for several, nothing of it is kept and each item is tried alone.
 */
export interface SharedWork<Item, Result> {
  write(tx: Tx, items: readonly Item[]): Promise<Result[]>;
}

interface Unit {
  work: SharedWork<unknown, unknown>;
  item: unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

type Outcome = { unit: Unit; value: unknown } | { unit: Unit; error: unknown };

const BATCH = 128;

/** Longer than any honest unit; a unit that waits for another one would wait for ever. */
const UNIT_LIMIT_MS = 15_000;

/**
 * The only way to write. Units of work that wait at the same time share one transaction, each (or all that do the same
 * work) in a savepoint of its own, and are acknowledged after the shared commit: one writer at a time, durability at the price of one fsync for
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
    return this.writeTogether({ write: async (tx) => [await work(tx)] }, undefined);
  }

  /**
   * Like `write`, for work that many callers do: items of the same work object that wait at the same time are written
   * by one run of it.
   */
  writeTogether<Item, Result>(work: SharedWork<Item, Result>, item: Item): Promise<Result> {
    if (this.stopped)
      return Promise.reject(new Error('the service has stopped: nothing is written any more'));
    return new Promise<Result>((resolve, reject) => {
      const unit = { work, item, resolve, reject };
      this.waiting.push(unit as unknown as Unit);
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
        units.length === 1 ? await runGroup(connection, units) : await runInSavepoints(connection, units);
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

/** Each group in a savepoint. One step between two of them: a savepoint that was rolled back serves the next one too. */
async function runInSavepoints(connection: GateConnection, units: readonly Unit[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const groups = groupsOf(units);
  let boundary = 'SAVEPOINT unit';
  for (let group = groups.shift(); group; group = groups.shift()) {
    await connection.exec(boundary);
    const made = await runGroup(connection, group);
    const failed = made.some((outcome) => 'error' in outcome);
    boundary = failed ? UNDO : 'RELEASE SAVEPOINT unit; SAVEPOINT unit';
    if (failed && group.length > 1) groups.unshift(...group.map((unit) => [unit]));
    else outcomes.push(...made);
  }
  if (boundary === UNDO) await connection.exec(UNDO);
  return outcomes;
}

const UNDO = 'ROLLBACK TO SAVEPOINT unit';

/** Units of the same work stand together, where the first of them stood. */
function groupsOf(units: readonly Unit[]): Unit[][] {
  const groups = new Map<unknown, Unit[]>();
  for (const unit of units) {
    const group = groups.get(unit.work);
    if (group) group.push(unit);
    else groups.set(unit.work, [unit]);
  }
  return [...groups.values()];
}

async function runGroup(connection: GateConnection, units: readonly Unit[]): Promise<Outcome[]> {
  const tx = new OpenTx(connection);
  const { work } = units[0]!;
  try {
    const items = units.map((unit) => unit.item);
    const values = await withinLimit(work.write(tx, items));
    return units.map((unit, index) => ({ unit, value: values[index] }));
  } catch (error) {
    return units.map((unit) => ({ unit, error }));
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
