import type { Logger } from '../../common/logger.js';
import { isAway } from '../away.js';

/** Options of a group writer. */
export interface GroupOptions<Row> {
  /** Name in the log. */
  name: string;
  /** Rows beyond this are dropped with an error in the log: memory stays bounded if the database hangs. */
  mostPending: number;
  /** Returns the weight of a row, for `weight`. */
  weigh?: (row: Row) => number;
  write(rows: readonly Row[]): Promise<unknown>;
  logger: Logger;
}

const WAIT_MS = 40;
const MOST_A_WRITE = 512;
const ATTEMPTS = 3;
const RETRY_MS = 500;
const LONGEST_RETRY_MS = 30_000;

/**
 * Collects rows and writes them in groups within 50 ms, off the path of every answer. A later row with the same key
 * replaces a queued one. A failed group is retried, then written row by row, so that one bad row costs only itself.
 * While the database is away the queue grows up to its limit, and no caller waits.
 */
export class GroupWriter<Row> {
  /** Weight of the queued rows. */
  weight = 0;
  private pending = new Map<string, Row>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;
  /** The group being written, by key, and the write. */
  private underWay: { rows: ReadonlyMap<string, Row>; write?: Promise<unknown> } | undefined;
  private dropped = 0;
  private closing = false;
  /** Pause before the next attempt while the database is away. */
  private pauseMs: number | undefined;

  constructor(private readonly options: GroupOptions<Row>) {}

  /** Returns false if the row was dropped. */
  add(key: string, row: Row): boolean {
    if (this.pending.size >= this.options.mostPending && !this.pending.has(key)) {
      this.dropped++;
      return false;
    }
    const replaced = this.pending.get(key);
    if (replaced !== undefined) this.weight -= this.weigh(replaced);
    this.weight += this.weigh(row);
    this.pending.set(key, row);
    this.timer ??= setTimeout(() => void this.drain(), this.closing ? 0 : WAIT_MS);
    return true;
  }

  /** Removes rows from the queue to be written elsewhere; none if they weigh more than `most` together. */
  withdraw(keys: readonly string[], most: number): Row[] {
    const rows = keys.map((key) => this.pending.get(key)).filter((row) => row !== undefined);
    const weight = rows.reduce((sum, row) => sum + this.weigh(row), 0);
    if (weight > most) return [];
    for (const key of keys) this.pending.delete(key);
    this.weight -= weight;
    return rows;
  }

  /** Writes the queue without waiting for more, unless a group is being written or the database is away. */
  hurry(): void {
    if (this.pending.size > 0 && this.pauseMs === undefined) void this.drain();
  }

  /** Resolves when no write of these rows is under way. Does not wait for retries. */
  async written(keys: readonly string[]): Promise<void> {
    const { rows, write } = this.underWay ?? {};
    if (rows && keys.some((key) => rows.has(key))) await write?.catch(() => undefined);
  }

  /** Resolves when every queued row was written or given up, or waits for the database. */
  async flush(): Promise<void> {
    await this.writing;
    if (this.pending.size > 0 && (this.pauseMs === undefined || this.closing)) await this.drain();
  }

  /** Writes the queue; from then on every row is written at once without retries, because of the shutdown. */
  async close(): Promise<void> {
    this.closing = true;
    await this.flush();
  }

  private weigh(row: Row): number {
    return this.options.weigh?.(row) ?? 0;
  }

  private drain(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing ??= this.writeAll().finally(() => (this.writing = undefined));
    return this.writing;
  }

  private async writeAll(): Promise<void> {
    while (this.pending.size > 0) {
      const entries = this.take();
      this.underWay = { rows: entries };
      const outcome = await this.tryGroup([...entries.values()]);
      this.underWay = undefined;
      if (outcome === 'away' || (outcome === 'failed' && !(await this.tryRows(entries)))) {
        this.giveBack(entries);
        break;
      }
      this.pauseMs = undefined;
    }
    if (this.dropped > 0) {
      this.options.logger.error({ dropped: this.dropped }, `${this.options.name}: rows were dropped`);
      this.dropped = 0;
    }
  }

  private take(): Map<string, Row> {
    const entries = new Map<string, Row>();
    for (const [key, row] of this.pending) {
      entries.set(key, row);
      this.weight -= this.weigh(row);
      this.pending.delete(key);
      if (entries.size === MOST_A_WRITE) break;
    }
    return entries;
  }

  /** Puts a failed group back at the front of the queue for a later retry; drops it during a shutdown. */
  private giveBack(entries: ReadonlyMap<string, Row>): void {
    if (this.closing) {
      this.dropped += entries.size + this.pending.size;
      this.pending.clear();
      this.weight = 0;
      return;
    }
    const newer = this.pending;
    this.pending = new Map([...entries, ...newer]);
    for (const [key, row] of entries) if (!newer.has(key)) this.weight += this.weigh(row);
    this.pauseMs = Math.min((this.pauseMs ?? RETRY_MS) * 2, LONGEST_RETRY_MS);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.drain(), this.pauseMs);
  }

  private async tryGroup(rows: readonly Row[]): Promise<'written' | 'failed' | 'away'> {
    for (let attempt = 1; ; attempt++) {
      try {
        const write = this.options.write(rows);
        if (this.underWay) this.underWay.write = write;
        await write;
        return 'written';
      } catch (error) {
        this.options.logger.warn({ err: error, rows: rows.length }, `${this.options.name}: a group failed`);
        if (attempt >= ATTEMPTS || this.closing) return isAway(error) ? 'away' : 'failed';
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  /** Writes row by row. Returns false, with the unwritten rows left in `entries`, if the database goes away meanwhile. */
  private async tryRows(entries: Map<string, Row>): Promise<boolean> {
    for (const [key, row] of entries) {
      try {
        await this.options.write([row]);
      } catch (error) {
        if (isAway(error)) return false;
        this.dropped++;
      }
      entries.delete(key);
    }
    return true;
  }
}
