import { isBusy } from '../away.js';
import type { SqliteConnection } from './sqlite-connections.js';

/** The initial `busy_timeout`, for other processes that write now and then. */
export const PATIENT_MS = 10_000;

/**
 * The `busy_timeout` after another process has held the write lock for longer: it may be suspended, and its lock cannot be
 * revoked.
 */
const IMPATIENT_MS = 1_000;

/**
 * The `busy_timeout` of SQLite's writer. While another process is suspended with the write lock, the first calls wait ten
 * seconds and later ones one second, so that none hangs until the other wakes up.
 */
export class BusyTimeout {
  private ms = PATIENT_MS;

  constructor(private readonly writer: SqliteConnection) {}

  /** Runs `begin` and adjusts the timeout by its outcome. */
  async during<Value>(begin: () => Promise<Value>): Promise<Value> {
    try {
      const value = await begin();
      await this.become(PATIENT_MS);
      return value;
    } catch (error) {
      if (isBusy(error)) await this.become(IMPATIENT_MS);
      throw error;
    }
  }

  private async become(ms: number): Promise<void> {
    if (ms === this.ms) return;
    this.ms = ms;
    await this.writer.exec(`PRAGMA busy_timeout = ${ms}`);
  }
}
