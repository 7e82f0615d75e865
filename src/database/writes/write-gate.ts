import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { type Connections, CONNECTIONS } from '../connections.js';
import type { Tx } from '../tx.js';
import { type Batch, Lane } from './lane.js';
import type { Unit } from './run-units.js';
import type { SharedWork } from './shared-work.js';
import type { WriteKey } from './write-keys.js';

/** Units of a transaction: none waits long for those that it shares its commit with. */
const MOST_UNITS = 128;

/** Keys of a transaction that runs beside others: each is a lock in PostgreSQL's memory, which holds some thousands. */
const MOST_KEYS = 48;

/** Units that are looked at for one that may begin. */
const MOST_LOOKED_AT = 1_024;

/**
 * Where a transaction began so recently, what comes waits for its end or for this time, and shares the next one: where
 * commits are quick, one connection that writes many units at once costs less than several that write one each.
 */
const TOGETHER_MS = 3;

/**
 * The only way to write. Units of work that wait at the same time share a transaction (group commit), each in a
 * savepoint of its own (units of the same work in one), and are acknowledged after the commit: one fsync for many, and a
 * unit that throws rolls back alone. A unit holds database calls only, never a model or network call; on every other
 * connection the database itself refuses writes. Throws 503 `overloaded` where no transaction could begin.
 *
 * A unit that names its keys is written beside others that have none of them, on one of several connections (lanes), by
 * this process or another. One without keys is alone on the whole database, as every unit is on SQLite. Units of the
 * same key keep their order within a process.
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
   * Resolves to the unit's answer once it is durable; rejects with its error, after which nothing of it is kept. `keys`
   * name everything that the unit reads or writes and others write under keys too.
   */
  write<Value>(work: (tx: Tx) => Promise<Value>, keys?: readonly WriteKey[]): Promise<Value> {
    const alone = { write: async (tx: Tx) => [await work(tx)] };
    return this.writeTogether(keys ? { ...alone, keysOf: () => keys } : alone, undefined);
  }

  /**
   * Like `write`, for work that many callers do: items of the same work object that wait at the same time are written
   * by one run of it.
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

  /** Units that wait for their transaction. */
  get queueLength(): number {
    return this.waiting.length;
  }

  /** Connections on which a transaction is under way. */
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

  /** After a tick, so that calls made together share a transaction. */
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

  /** The units of the next transaction; undefined while none may begin. */
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

  /** Units up to the first without keys that touch nothing that is `held`, nor anything of a unit that waits before them. */
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
