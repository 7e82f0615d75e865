import { SqliteConnection } from '../sqlite/sqlite-connections.js';
import type { Life, Presence } from './presence.js';

const SLOTS = 64;

const isBusy = (error: unknown): boolean => (error as { code?: string }).code === 'SQLITE_BUSY';

/**
 * A process on a SQLite database holds the exclusive lock of the first free lock file beside it. Its name is
 * `<slot>:<token>`: the holder of a slot proves that its earlier holders are gone.
 */
export class SqlitePresence implements Presence {
  private readonly prefix: string;
  /** Pending checks by slot: two at the same time would find the lock held by each other. */
  private readonly checks = new Map<number, Promise<boolean>>();
  /** Always 0: the lock cannot be lost. */
  readonly provenMsAgo = 0;
  private own: { slot: number; name: string; lock: SqliteConnection } | undefined;

  constructor(databaseUrl: string) {
    this.prefix = `${databaseUrl.replace(/^sqlite:(\/\/)?/, '')}.process-`;
  }

  get names(): readonly string[] {
    return this.own ? [this.own.name] : [];
  }

  async enter(token: string): Promise<void> {
    for (let slot = 0; slot < SLOTS; slot++) {
      const lock = await this.tryLock(slot);
      if (!lock) continue;
      this.own = { slot, name: `${slot}:${token}`, lock };
      return;
    }
    throw new Error(`More than ${SLOTS} processes use this SQLite database. Use PostgreSQL to scale out.`);
  }

  async lifeOf(processId: string): Promise<Life> {
    return (await this.isGone(processId)) ? 'gone' : 'living';
  }

  /** Does nothing: a free lock proves at once that its process is gone. */
  onGone(): void {}

  /** Does nothing: the lock of a living process is never lost. */
  onRenamed(): void {}

  async leave(): Promise<void> {
    await this.own?.lock.close();
    this.own = undefined;
  }

  private async isGone(processId: string): Promise<boolean> {
    const slot = Number(processId.split(':')[0]);
    if (!Number.isInteger(slot) || slot < 0 || slot >= SLOTS) return true;
    if (slot === this.own?.slot) return processId !== this.own.name;
    let check = this.checks.get(slot);
    if (!check) this.checks.set(slot, (check = this.isFree(slot).finally(() => this.checks.delete(slot))));
    return check;
  }

  private async isFree(slot: number): Promise<boolean> {
    const lock = await this.tryLock(slot);
    await lock?.close();
    return lock !== undefined;
  }

  private async tryLock(slot: number): Promise<SqliteConnection | undefined> {
    const lock = await SqliteConnection.open(`${this.prefix}${slot}.lock`, ['busy_timeout = 0']);
    try {
      await lock.exec('BEGIN EXCLUSIVE');
      return lock;
    } catch (error) {
      await lock.close();
      if (isBusy(error)) return undefined;
      throw error;
    }
  }
}
