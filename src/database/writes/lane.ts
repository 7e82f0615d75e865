import { ConnectionLost, DatabaseAway, isBusy, isDeadlock, noteUndone, callerError } from '../away.js';
import type { Connections, GateConnection } from '../connections.js';
import { undo, type UnitOutcome, runUnits, type Unit } from './run-units.js';
import type { WriteKey } from './write-keys.js';

/** Units of one transaction. Without keys it excludes every other writer on the database. */
export interface Batch {
  readonly units: readonly Unit[];
  readonly keys: readonly WriteKey[] | undefined;
}

/** One connection of the write gate: transaction after transaction. */
export class Lane {
  private connection: GateConnection | undefined;
  private running: Batch | undefined;

  constructor(private readonly connections: Connections) {}

  get batch(): Batch | undefined {
    return this.running;
  }

  /**
   * Runs a batch and settles each unit with its result after the commit. Never rejects. Resolves to units to retry: those
   * that were rolled back because of a deadlock for the first time.
   */
  async run(batch: Batch): Promise<Unit[]> {
    this.running = batch;
    try {
      return settle(await this.outcomesOf(batch));
    } finally {
      this.running = undefined;
    }
  }

  async release(): Promise<void> {
    await this.connection?.release();
    this.connection = undefined;
  }

  private async outcomesOf(batch: Batch): Promise<UnitOutcome[]> {
    const { units } = batch;
    try {
      return (units.length === 1 && (await this.runAlone(batch))) || (await this.runTogether(batch));
    } catch (error) {
      await this.abandon();
      return units.map((unit) => ({ unit, error }));
    }
  }

  private async runAlone({ units, keys }: Batch): Promise<UnitOutcome[] | undefined> {
    const unit = units[0]!;
    const lone = unit.work.aloneFor?.(unit.item);
    if (!lone) return undefined;
    const ask = () => this.onConnection((connection) => connection.alone(lone.sql, lone.parameters, keys));
    // The transaction may have begun, and its rows may be lost with the answer to its commit.
    const rows = await ask().catch((error: unknown) => {
      if (error instanceof ConnectionLost) return ask();
      throw error;
    });
    const value = lone.resultOf(rows);
    return value === undefined ? undefined : [{ unit, value }];
  }

  private async runTogether({ units, keys }: Batch): Promise<UnitOutcome[]> {
    const soonDurable = units.every(({ work }) => work.soonDurable === true);
    return this.onConnection(async (connection) => {
      await connection.begin(soonDurable, keys);
      const outcomes = await runUnits(connection, units);
      await connection.begun();
      const [first] = outcomes;
      if (outcomes.length === 1 && first && 'error' in first)
        await undo(() => connection.rollback(), first.error);
      else await connection.commit();
      // Certain only now: a commit or rollback whose answer is lost throws.
      for (const outcome of outcomes) if ('error' in outcome) noteUndone(outcome.error);
      return outcomes;
    });
  }

  /**
   * Retries once on a fresh connection when nothing began on a stale one (the database restarted). A lone statement, which
   * is sent with its commit, may have been committed although its answer was lost.
   */
  private async onConnection<Value>(use: (connection: GateConnection) => Promise<Value>): Promise<Value> {
    if (this.connection?.lost) await this.abandon();
    const current = this.connection;
    if (current) {
      try {
        return await use(current);
      } catch (error) {
        const unbegun = await whyNotBegun(current);
        if (unbegun === undefined || isDeadlock(unbegun)) throw error;
        if (isBusy(unbegun)) throw new DatabaseAway(unbegun);
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
      throw unbegun === undefined || isDeadlock(unbegun) ? error : new DatabaseAway(unbegun);
    }
  }

  private async abandon(): Promise<void> {
    const connection = this.connection;
    this.connection = undefined;
    await connection?.rollback().catch(() => undefined);
    await connection?.release().catch(() => undefined);
  }
}

function settle(outcomes: readonly UnitOutcome[]): Unit[] {
  const again: Unit[] = [];
  for (const outcome of outcomes) {
    const { unit } = outcome;
    if (!('error' in outcome)) unit.resolve(outcome.value);
    else if (isDeadlock(outcome.error) && !unit.again) again.push({ ...unit, again: true });
    else unit.reject(callerError(outcome.error));
  }
  return again;
}

/** Returns the error that prevented the transaction from beginning; undefined when it began. */
const whyNotBegun = (connection: GateConnection): Promise<unknown> =>
  connection.begun().then(
    () => undefined,
    (error: unknown) => error ?? 'unknown',
  );
