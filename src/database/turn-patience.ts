import { isBusy } from './away.js';
import type { SqliteConnection } from './sqlite-connections.js';

/** For other processes that write now and then. What the writer is opened with. */
export const PATIENT_MS = 10_000;

/** Once another process has kept its turn for longer than that: it may stand still, and its lock cannot be taken away. */
const IMPATIENT_MS = 1_000;

/**
 * How long SQLite's writer waits for its turn. Who stood still once makes the first calls wait for ten seconds, and those
 * after them for one: however many come, none hangs for as long as the other stands.
 */
export class TurnPatience {
  private ms = PATIENT_MS;

  constructor(private readonly writer: SqliteConnection) {}

  /** What `begin` answers or throws. */
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
