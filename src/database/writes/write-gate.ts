import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { type Connections, CONNECTIONS } from '../connections.js';
import type { Tx } from '../tx.js';
import { type Batch, Lane } from './lane.js';
import type { Unit } from './run-units.js';
import type { SharedWork } from './shared-work.js';
import type { WriteKey } from './write-keys.js';

/** Units of a transaction, few enough that none waits long for the others. */
const MOST_UNITS = 128;

/** Keys of a transaction that runs beside others: each is a lock in PostgreSQL's memory, which holds some thousands. */
const MOST_KEYS = 48;

/** Waiting units that are searched for ones that may begin. */
const MOST_LOOKED_AT = 1_024;

/**
 * After a transaction has begun, further units wait for its end or this time and share the next one: with quick commits,
 * one connection that writes many units at once costs less than several that write one each.
 */
const TOGETHER_MS = 3;

/**
 * The only way to write. Units of work that wait at the same time share a transaction (group commit), each in a savepoint
 * of its own (units of the same work share one), and are acknowledged after the commit: many units need one fsync, and a
 * unit that throws rolls back alone. A unit makes database calls only, never a model or network call. On every other
 * connection the database itself refuses writes. Throws 503 `overloaded` when no transaction could begin.
 *
 * Units with keys are written concurrently with units that share none of them, on several connections (lanes) of this and
 * other processes. A unit without keys runs alone on the whole database, as every unit does on SQLite. Units with the same
 * key run in order within a process.
 */
@Injectable()
export class WriteGate implements BeforeApplicationShutdown {
  private waiting: Unit[] = [];
  private readonly lanes: Lane[] = [];
  private readonly running = new Set<Promise<void>>();
  private looking: Promise<void> | undefined;
  /** Pending while the newest transaction is younger than `TOGETHER_MS`. */
  private young: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(@Inject(CONNECTIONS) private readonly connections: Connections) {}

  /**
   * Resolves to the unit's result once it is durable. Rejects with its error after a rollback. `keys` name everything that
   * the unit reads or writes and that others write under keys.
   */
  write<Value>(work: (tx: Tx) => Promise<Value>, keys?: readonly WriteKey[]): Promise<Value> {
    const alone = { write: async (tx: Tx) => [await work(tx)] };
    return this.writeTogether(keys ? { ...alone, keysOf: () => keys } : alone, undefined);
  }

  /**
   * Like `write`, for work that many callers share: items of the same work object that wait at the same time are written in
   * one call of it.
   */
  writeTogether<Item, Result>(work: SharedWork<Item, Result>, item: Item): Promise<Result> {
    if (this.stopped)
      return Promise.reject(new Error('the service has stopped: nothing is written any more'));
    return new Promise<Result>((resolve, reject) => {
      const unit = { work, item, keys: this.keysOf(work, item), resolve, reject };
      this.waiting.push(unit as unknown as Unit);
      this.look();
    });
  }

  /** The number of units that wait. */
  get queueLength(): number {
    return this.waiting.length;
  }

  /** The number of connections with an open transaction. */
  get lanesInUse(): number {
    return this.busy.length;
  }

  async beforeApplicationShutdown(): Promise<void> {
    while (this.waiting.length > 0 || this.running.size > 0)
      await (this.looking ?? Promise.race(this.running));
    this.stopped = true;
    clearTimeout(this.young);
    await Promise.all(this.lanes.map((lane) => lane.release()));
  }

  private get busy(): Lane[] {
    return this.lanes.filter(({ batch }) => batch !== undefined);
  }

  private keysOf<Item, Result>(work: SharedWork<Item, Result>, item: Item): readonly WriteKey[] | undefined {
    return this.connections.locksByKey ? work.keysOf?.(item) : undefined;
  }

  /** Begins transactions after a tick, so that calls made together share one. */
  private look(): void {
    this.looking ??= Promise.resolve().then(() => {
      this.looking = undefined;
      this.begin();
    });
  }

  private begin(): void {
    for (;;) {
      const lane = this.freeLane();
      const batch = lane && this.next();
      if (!batch) return;
      const run = this.run(lane, batch);
      this.running.add(run);
      void run.then(() => this.running.delete(run));
    }
  }

  private async run(lane: Lane, batch: Batch): Promise<void> {
    clearTimeout(this.young);
    this.young = setTimeout(() => {
      this.young = undefined;
      this.look();
    }, TOGETHER_MS);
    const again = await lane.run(batch);
    this.waiting.unshift(...again);
    if (this.waiting.length > 0) this.look();
  }

  private freeLane(): Lane | undefined {
    const free = this.lanes.find(({ batch }) => batch === undefined);
    if (free || this.lanes.length >= this.connections.lanes) return free;
    const lane = new Lane(this.connections);
    this.lanes.push(lane);
    return lane;
  }

  /** Returns the units of the next transaction; undefined while none may begin. */
  private next(): Batch | undefined {
    const [first] = this.waiting;
    if (first === undefined) return undefined;
    const { busy } = this;
    if (first.keys === undefined)
      return busy.length > 0 ? undefined : { units: this.waiting.splice(0, MOST_UNITS), keys: undefined };
    if (busy.length > 0 && this.young) return undefined;
    const held = new Set<WriteKey>();
    for (const { batch } of busy) {
      if (batch!.keys === undefined) return undefined;
      for (const key of batch!.keys) held.add(key);
    }
    return this.beside(held);
  }

  /** Returns units, up to the first without keys, that share no key with those `held` or with a unit that waits before. */
  private beside(held: Set<WriteKey>): Batch | undefined {
    const units: Unit[] = [];
    const keys = new Set<WriteKey>();
    const left: Unit[] = [];
    let looked = 0;
    for (; looked < Math.min(this.waiting.length, MOST_LOOKED_AT); looked++) {
      const unit = this.waiting[looked]!;
      const isFull = units.length >= MOST_UNITS || keys.size >= MOST_KEYS;
      if (isFull || unit.keys === undefined) break;
      const mayBegin = !unit.keys.some((key) => held.has(key));
      const into = mayBegin ? keys : held;
      for (const key of unit.keys) into.add(key);
      (mayBegin ? units : left).push(unit);
    }
    if (units.length === 0) return undefined;
    this.waiting = [...left, ...this.waiting.slice(looked)];
    return { units, keys: [...keys] };
  }
}
