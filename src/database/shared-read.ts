import type { SqlReader } from './tx.js';

/** The key of a row: one text or several. */
type ReadKey = readonly string[];

interface Caller<Row> {
  resolve: (row: Row | undefined) => void;
  reject: (error: unknown) => void;
}

interface PendingRead<Row> {
  key: ReadKey;
  callers: Caller<Row>[];
}

const MOST_KEYS = 64;

/**
 * Reads single rows by key for many callers with few statements: while one statement runs, the keys of the next one are
 * collected. An idle service adds no delay. Each result is as fresh as that of a separate read.
 */
export class SharedRead<Row> {
  private pending = new Map<string, PendingRead<Row>>();
  private underWay = false;

  private readonly statement: (count: number) => string;

  /** `statement` returns the text for so many keys, whose parts are its parameters in order; `keyOf` reads a row's key. */
  constructor(
    private readonly reader: SqlReader,
    statement: (count: number) => string,
    private readonly keyOf: (row: Row) => ReadKey,
  ) {
    this.statement = textByCount(statement);
  }

  /** Returns the row with this key, if any. */
  one(...key: ReadKey): Promise<Row | undefined> {
    return new Promise((resolve, reject) => {
      const name = textOf(key);
      const read = this.pending.get(name);
      if (read) read.callers.push({ resolve, reject });
      else this.pending.set(name, { key, callers: [{ resolve, reject }] });
      if (!this.underWay) void this.readOn();
    });
  }

  private async readOn(): Promise<void> {
    this.underWay = true;
    while (this.pending.size > 0) {
      const group = new Map([...this.pending].slice(0, MOST_KEYS));
      for (const name of group.keys()) this.pending.delete(name);
      await this.read(group);
    }
    this.underWay = false;
  }

  private async read(group: ReadonlyMap<string, PendingRead<Row>>): Promise<void> {
    const reads = [...group.values()];
    try {
      const keys = padded(reads.map(({ key }) => key));
      const rows = await this.reader.all<Row>(this.statement(keys.length), keys.flat());
      const found = new Map(rows.map((row) => [textOf(this.keyOf(row)), row]));
      for (const [name, { callers: callers }] of group)
        for (const caller of callers) caller.resolve(found.get(name));
    } catch (error) {
      for (const { callers: callers } of reads) for (const caller of callers) caller.reject(error);
    }
  }
}

/** Returns the statement of a shared read by one column; `select` ends before the list of keys (`… WHERE id IN`). */
export const inList =
  (select: string) =>
  (count: number): string =>
    `${select} (${Array<string>(count).fill('?').join(', ')})`;

/** Makes the text of a statement for so many rows once, so that the driver finds it by a text that it has hashed. */
export function textByCount(make: (count: number) => string): (count: number) => string {
  const texts: string[] = [];
  return (count) => (texts[count] ??= make(count));
}

/** Joins the parts with NUL, which no stored text contains. */
const textOf = (key: ReadKey): string => key.join('\0');

/** Pads the keys to 1, 2, 4, 8 …, so that there are few texts of a statement and they stay prepared. */
function padded(keys: ReadKey[]): ReadKey[] {
  let size = 1;
  while (size < keys.length) size *= 2;
  while (keys.length < size) keys.push(keys[0]!);
  return keys;
}
