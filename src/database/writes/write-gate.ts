import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { DatabaseAway, isBusy, toldOf } from '../away.js';
import { CONNECTIONS } from '../database.tokens.js';
import type { Connections, GateConnection } from '../connections.js';
import { type UnitOutcome, runUnits, type Unit } from './run-units.js';
import type { SharedWork } from './shared-work.js';
import type { Tx } from '../tx.js';

const BATCH = 128;

/**
 * The only way to write. Units of work that wait at the same time share one transaction (group commit), each in a
 * savepoint of its own (units of the same work in one), and are acknowledged after the commit: one writer at a time,
 * one fsync for many, and a unit that throws rolls back alone. A unit holds database calls only, never a model or
 * network call; on every other connection the database itself refuses writes. Throws 503 `overloaded` where no
 * transaction could begin.
 */
@Injectable()
export class WriteGate implements BeforeApplicationShutdown {
  private readonly waiting: Unit[] = [];
  private draining: Promise<void> | undefined;
  private connection: GateConnection | undefined;
  private stopped = false;

  constructor(@Inject(CONNECTIONS) private readonly connections: Connections) {}

  /** Resolves to the unit's answer once it is durable; rejects with its error, after which nothing of it is kept. */
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

  /** Units that wait for their transaction. */
  get queueLength(): number {
    return this.waiting.length;
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
    let outcomes: UnitOutcome[];
    try {
      outcomes = (units.length === 1 && (await this.runAlone(units[0]!))) || (await this.runTogether(units));
    } catch (error) {
      await this.abandon();
      for (const unit of units) unit.reject(toldOf(error));
      return;
    }
    for (const outcome of outcomes) {
      if ('error' in outcome) outcome.unit.reject(toldOf(outcome.error));
      else outcome.unit.resolve(outcome.value);
    }
  }

  private async runAlone(unit: Unit): Promise<UnitOutcome[] | undefined> {
    const lone = unit.work.aloneFor?.(unit.item);
    if (!lone) return undefined;
    const rows = await this.onConnection((connection) => connection.alone(lone.sql, lone.parameters), 'once');
    const value = lone.resultOf(rows);
    return value === undefined ? undefined : [{ unit, value }];
  }

  private async runTogether(units: Unit[]): Promise<UnitOutcome[]> {
    const soonDurable = units.every(({ work }) => work.soonDurable === true);
    return this.onConnection(async (connection) => {
      await connection.begin(soonDurable);
      const outcomes = await runUnits(connection, units);
      await connection.begun();
      if (outcomes.length === 1 && 'error' in outcomes[0]!) await connection.rollback();
      else await connection.commit();
      return outcomes;
    });
  }

  /**
   * Retries once on a fresh connection where nothing was begun on a stale one (the database restarted). A statement
   * that is sent with its commit may have been done although its answer was lost: it is sent `once`.
   */
  private async onConnection<Value>(
    use: (connection: GateConnection) => Promise<Value>,
    tries?: 'once',
  ): Promise<Value> {
    if (this.connection?.lost) await this.abandon();
    const kept = this.connection;
    if (kept) {
      try {
        return await use(kept);
      } catch (error) {
        const unbegun = await whyNotBegun(kept);
        if (unbegun === undefined) throw error;
        if (isBusy(unbegun) || tries === 'once') throw new DatabaseAway(unbegun);
        await this.abandon();
      }
    }
    return this.onFreshConnection(use);
  }

  private async onFreshConnection<Value>(
    use: (connection: GateConnection) => Promise<Value>,
  ): Promise<Value> {
    const fresh = await this.connections.openGate().catch((error: unknown) => {
      throw new DatabaseAway(error);
    });
    this.connection = fresh;
    try {
      return await use(fresh);
    } catch (error) {
      const unbegun = await whyNotBegun(fresh);
      throw unbegun === undefined ? error : new DatabaseAway(unbegun);
    }
  }

  private async abandon(): Promise<void> {
    const connection = this.connection;
    this.connection = undefined;
    await connection?.rollback().catch(() => undefined);
    await connection?.release().catch(() => undefined);
  }
}

/** The error that kept the transaction from beginning; undefined when it began. */
const whyNotBegun = (connection: GateConnection): Promise<unknown> =>
  connection.begun().then(
    () => undefined,
    (error: unknown) => error ?? 'unknown',
  );
