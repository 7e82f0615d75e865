import type { SqlReader } from './tx.js';

interface Asker<Row> {
  resolve: (row: Row | undefined) => void;
  reject: (error: unknown) => void;
}

const MOST_KEYS = 64;

/**
 * Reads one row by its key for many callers at once: while one statement is under way the next gathers its keys, so
 * that a busy service asks few statements and an idle one waits for none. Each answer is as fresh as a read of its own.
 */
export class SharedRead<Row> {
  private asked = new Map<string, Asker<Row>[]>();
  private underWay = false;

  /** `select` ends before the list of keys (`… WHERE id IN`); each row tells its key. */
  constructor(
    private readonly reader: SqlReader,
    private readonly select: string,
    private readonly keyOf: (row: Row) => string,
  ) {}

  /** The row with this key, if there is one. */
  one(key: string): Promise<Row | undefined> {
    return new Promise((resolve, reject) => {
      const askers = this.asked.get(key);
      if (askers) askers.push({ resolve, reject });
      else this.asked.set(key, [{ resolve, reject }]);
      if (!this.underWay) void this.readOn();
    });
  }

  private async readOn(): Promise<void> {
    this.underWay = true;
    while (this.asked.size > 0) {
      const group = new Map([...this.asked].slice(0, MOST_KEYS));
      for (const key of group.keys()) this.asked.delete(key);
      await this.read(group);
    }
    this.underWay = false;
  }

  private async read(group: ReadonlyMap<string, Asker<Row>[]>): Promise<void> {
    try {
      const keys = padded([...group.keys()]);
      const list = keys.map(() => '?').join(', ');
      const rows = await this.reader.all<Row>(`${this.select} (${list})`, keys);
      const found = new Map(rows.map((row) => [this.keyOf(row), row]));
      for (const [key, askers] of group) for (const asker of askers) asker.resolve(found.get(key));
    } catch (error) {
      for (const askers of group.values()) for (const asker of askers) asker.reject(error);
    }
  }
}

/** Lists of 1, 2, 4, 8 … keys, so that the database sees few texts of a statement and keeps them prepared. */
function padded(keys: string[]): string[] {
  let size = 1;
  while (size < keys.length) size *= 2;
  while (keys.length < size) keys.push(keys[0]!);
  return keys;
}
