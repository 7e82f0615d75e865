import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';
import { ConnectionLost, isAway } from '../away.js';
import type { GateConnection } from '../connections.js';
import { managerOver } from '../statement-runner.js';
import type { SqlValue, Tx, WritingRepository } from '../tx.js';
import type { SharedWork } from './shared-work.js';
import type { WriteKey } from './write-keys.js';

/** A caller's work with its promise. */
export interface Unit {
  work: SharedWork<unknown, unknown>;
  item: unknown;
  /** Undefined for a unit that excludes every other writer. */
  keys: readonly WriteKey[] | undefined;
  /** True for a retry after a deadlock. */
  again?: boolean;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

export type UnitOutcome = { unit: Unit; value: unknown } | { unit: Unit; error: unknown };

/** The time limit of a unit: one that waits for another unit would wait for ever. */
const UNIT_LIMIT_MS = 15_000;

/** Runs units in the open transaction, several of them in savepoints. Does not acknowledge them. */
export const runUnits = (connection: GateConnection, units: readonly Unit[]): Promise<UnitOutcome[]> =>
  units.length === 1 ? runGroup(connection, units, 'lone') : runInSavepoints(connection, units);

/** Runs each group in a savepoint. A savepoint that was rolled back serves the next group, which saves a step. */
async function runInSavepoints(connection: GateConnection, units: readonly Unit[]): Promise<UnitOutcome[]> {
  const outcomes: UnitOutcome[] = [];
  const groups = groupsOf(units);
  let boundary: string | undefined = 'SAVEPOINT unit';
  for (let group = groups.shift(); group; group = groups.shift()) {
    if (boundary !== undefined) await connection.exec(boundary);
    const made = await runGroup(connection, group);
    const failed = made.find((outcome) => 'error' in outcome);
    if (failed) await undo(() => connection.exec('ROLLBACK TO SAVEPOINT unit'), failed.error);
    boundary = failed ? undefined : 'RELEASE SAVEPOINT unit; SAVEPOINT unit';
    if (failed && group.length > 1) groups.unshift(...group.map((unit) => [unit]));
    else outcomes.push(...made);
  }
  return outcomes;
}

/**
 * Rolls back what failed with `error`. When the disk is full or fails, SQLite has already rolled back the whole
 * transaction and refuses: then throws `error`, which says why, and nothing of the transaction remains.
 */
export async function undo(rollback: () => Promise<void>, error: unknown): Promise<void> {
  await rollback().catch((refusal: unknown) => {
    throw isAway(error) ? error : refusal;
  });
}

/** Groups units of the same work, in the order of the first of each. */
function groupsOf(units: readonly Unit[]): Unit[][] {
  const groups = new Map<unknown, Unit[]>();
  for (const unit of units) {
    const group = groups.get(unit.work);
    if (group) group.push(unit);
    else groups.set(unit.work, [unit]);
  }
  return [...groups.values()];
}

/** Runs the units of one group. For a `lone` group the commit waits for statements that were sent without waiting. */
async function runGroup(
  connection: GateConnection,
  units: readonly Unit[],
  lone?: 'lone',
): Promise<UnitOutcome[]> {
  const tx = new OpenTx(connection);
  const { work } = units[0]!;
  const write = async (): Promise<unknown[]> => {
    const items = units.map((unit) => unit.item);
    const values = await work.write(tx, items).catch(async (error: unknown) => {
      await tx.settled();
      throw error;
    });
    if (!lone) await tx.settled();
    return values;
  };
  try {
    const values = await withinLimit(write(), tx);
    return units.map((unit, index) => ({ unit, value: values[index] }));
  } catch (error) {
    return units.map((unit) => ({ unit, error }));
  } finally {
    tx.close();
  }
}

function withinLimit<Value>(work: Promise<Value>, tx: OpenTx): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const endless = new Error(
        'a unit of work did not end in time: it must hold database calls of its own tx only',
      );
      // A statement is still unanswered, so the database is slow and not the unit.
      reject(tx.waits ? new ConnectionLost(endless) : endless);
    }, UNIT_LIMIT_MS);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

class OpenTx implements Tx {
  private open = true;
  private unanswered = 0;
  private manager: EntityManager | undefined;

  constructor(private readonly connection: GateConnection) {}

  /** Refuses further statements, so that a unit left running cannot touch the next unit's transaction. */
  close(): void {
    this.open = false;
  }

  /** True while a statement has no answer. */
  get waits(): boolean {
    return this.unanswered > 0;
  }

  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): WritingRepository<Entity> {
    this.manager ??= managerOver(this.connection.dataSource, this);
    return this.manager.getRepository(entity);
  }

  async all<Row>(sql: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    this.check();
    return (await this.answered(this.connection.all(sql, parameters))) as Row[];
  }

  async one<Row>(sql: string, parameters: readonly SqlValue[] = []): Promise<Row | undefined> {
    return (await this.all<Row>(sql, parameters))[0];
  }

  async run(sql: string, parameters: readonly SqlValue[] = []): Promise<number> {
    this.check();
    return this.answered(this.connection.run(sql, parameters));
  }

  async send(sql: string, parameters: readonly SqlValue[] = []): Promise<void> {
    this.check();
    await this.answered(this.connection.send(sql, parameters));
  }

  /** Rejects with the first failure of statements that were sent without waiting. */
  async settled(): Promise<void> {
    await this.answered(this.connection.settled());
  }

  private async answered<Value>(statement: Promise<Value>): Promise<Value> {
    this.unanswered++;
    try {
      return await statement;
    } finally {
      this.unanswered--;
    }
  }

  private check(): void {
    if (!this.open) throw new Error('this unit of work has ended: its tx writes no more');
  }
}
